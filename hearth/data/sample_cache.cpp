// Records of samples: each value behind the other, those of any size with their shape before them.
#include "hearth/data/sample_cache.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/data/source.h"

namespace hearth {

namespace {

// Changes whenever an op of the same name and options makes other values than before.
constexpr const char* kOpsVersion = "1";
constexpr int64_t kValueAlignment = 16;

int64_t aligned_bytes(int64_t bytes) {
  return (bytes + kValueAlignment - 1) / kValueAlignment * kValueAlignment;
}

int64_t value_bytes(const View& value) {
  return static_cast<int64_t>(value.elements()) * size_of(value.spec->dtype);
}

// A shape takes as much as it has dimensions.
int64_t shape_bytes(const Spec& spec) {
  return spec.is_ragged() ? aligned_bytes(static_cast<int64_t>(spec.shape.size() * sizeof(int64_t)))
                          : 0;
}

int64_t bytes_of_record(std::span<const Cell> cells) {
  int64_t bytes = 0;
  for (const Cell& cell : cells)
    bytes += shape_bytes(cell.spec()) + aligned_bytes(value_bytes(cell.view()));
  return bytes;
}

void write_record(std::span<const Cell> cells, std::byte* into) {
  for (const Cell& cell : cells) {
    const View view = cell.view();
    const int64_t before = shape_bytes(cell.spec());
    if (before > 0) std::memcpy(into, view.shape.data(), view.shape.size_bytes());
    into += before;
    std::memcpy(into, view.data, static_cast<size_t>(value_bytes(view)));
    into += aligned_bytes(value_bytes(view));
  }
}

using Shape = std::array<int64_t, kMostDimensions>;

Shape shape_at(const std::byte* from, const Spec& spec) {
  Shape shape{};
  std::memcpy(shape.data(), from, spec.shape.size() * sizeof(int64_t));
  return shape;
}

// Whether a record that an earlier process left has as many bytes as its shapes say.
bool has_size(std::span<const std::byte> record, std::span<const Spec> specs) {
  size_t at = 0;
  for (const Spec& spec : specs) {
    Shape shape{};
    std::copy(spec.shape.begin(), spec.shape.end(), shape.begin());
    const auto before = static_cast<size_t>(shape_bytes(spec));
    if (before > record.size() - at) return false;
    if (before > 0) shape = shape_at(record.data() + at, spec);
    at += before;
    uint64_t bytes = static_cast<uint64_t>(size_of(spec.dtype));
    for (size_t k = 0; k < spec.shape.size(); ++k)
      if (shape[k] < 0 || __builtin_mul_overflow(bytes, static_cast<uint64_t>(shape[k]), &bytes))
        return false;
    if (bytes > record.size() - at) return false;
    at += static_cast<size_t>(aligned_bytes(static_cast<int64_t>(bytes)));
    if (at > record.size()) return false;
  }
  return at == record.size();
}

void read_record(const std::byte* from, std::span<const Cell> cells) {
  for (const Cell& cell : cells) {
    View view;
    if (cell.spec().is_ragged()) {
      const Shape shape = shape_at(from, cell.spec());
      view = cell.take(std::span(shape).first(cell.spec().shape.size()));
      from += shape_bytes(cell.spec());
    } else {
      view = cell.view();
    }
    std::memcpy(view.data, from, static_cast<size_t>(value_bytes(view)));
    from += aligned_bytes(value_bytes(view));
  }
}

uint32_t checksum_of(std::span<const std::byte> bytes) {
  return static_cast<uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

int64_t SampleCache::record_bytes(std::span<const Spec> specs) {
  int64_t bytes = 0;
  for (const Spec& spec : specs) {
    if (spec.is_ragged()) return 0;
    bytes += aligned_bytes(spec.bytes());
  }
  return bytes;
}

int64_t SampleCache::table_bytes(int64_t samples) {
  return samples *
         static_cast<int64_t>(sizeof(std::atomic<State>) + 2 * sizeof(int64_t) + sizeof(uint32_t));
}

SampleCache::SampleCache(SampleCacheOptions options)
    : options_(std::move(options)), record_bytes_(record_bytes(options_.specs)) {}

std::string SampleCache::file_key() const {
  std::string all = options_.identity + "\n" + options_.source->fingerprint() + "\n" +
                    std::to_string(options_.samples) + "\n" + kOpsVersion;
  for (const Spec& spec : options_.specs) all += "\n" + spec.text();
  return sha256_hex(all).substr(0, 32);
}

void SampleCache::open() {
  std::call_once(is_opened_, [&] {
    states_ = std::vector<std::atomic<State>>(static_cast<size_t>(options_.samples));
    index_ = CacheIndex(options_.samples);
    if (options_.kind == CacheKind::kMemory) {
      storage_ = memory_storage(options_.most_bytes);
      return;
    }
    const std::string key = file_key();
    storage_ = file_storage({options_.folder, key, key, options_.samples, options_.most_bytes});
    if (storage_) take_over(storage_->found());
  });
}

void SampleCache::take_over(CacheIndex index) {
  if (index.offsets.empty()) return;
  index_ = std::move(index);
  int64_t end = 0;
  for (size_t i = 0; i < states_.size(); ++i) {
    if (index_.offsets[i] == CacheIndex::kNowhere) continue;
    if (index_.offsets[i] + index_.sizes[i] > options_.most_bytes) continue;
    states_[i] = State::kFound;
    end = std::max(end, index_.offsets[i] + index_.sizes[i]);
    ++stored_;
  }
  used_ = aligned_bytes(end);
}

SampleCache::~SampleCache() {
  if (storage_ && stored_ > 0) keep(stored_ == options_.samples);
}

// A cache is never the reason for a run to fail.
void SampleCache::keep(bool is_complete) {
  if (storage_->is_complete()) return;
  CacheIndex index = index_;
  for (size_t i = 0; i < states_.size(); ++i)
    if (states_[i] != State::kThere && states_[i] != State::kFound)
      index.offsets[i] = CacheIndex::kNowhere;
  try {
    storage_->keep(index, is_complete);
  } catch (const std::exception&) {
    is_refused_ = true;
  }
}

// Bytes of an earlier process are looked at once. What is wrong is made anew, and not stored again.
bool SampleCache::verified(size_t sample) {
  const std::span record(storage_->at(index_.offsets[sample]),
                         static_cast<size_t>(index_.sizes[sample]));
  const bool is_good =
      checksum_of(record) == index_.checksums[sample] && has_size(record, options_.specs);
  State expected = State::kFound;
  const bool is_first =
      states_[sample].compare_exchange_strong(expected, is_good ? State::kThere : State::kWriting);
  if (is_first && !is_good) --stored_;
  return is_good;
}

bool SampleCache::get(int64_t sample, std::span<const Cell> cells) {
  if (!storage_) return false;
  const auto at = static_cast<size_t>(sample);
  const State state = states_[at].load(std::memory_order_acquire);
  if (state != State::kThere && (state != State::kFound || !verified(at))) return false;
  read_record(storage_->at(index_.offsets[at]), cells);
  return true;
}

// Records of one size have a place of their own; others come one after the other.
int64_t SampleCache::new_place(int64_t sample, int64_t bytes) {
  const int64_t offset = record_bytes_ > 0 ? sample * record_bytes_ : used_.fetch_add(bytes);
  return offset <= options_.most_bytes - bytes ? offset : CacheIndex::kNowhere;
}

void SampleCache::put(int64_t sample, std::span<const Cell> cells) {
  if (!storage_ || is_refused_.load(std::memory_order_relaxed)) return;
  const auto at = static_cast<size_t>(sample);
  State expected = State::kEmpty;
  if (!states_[at].compare_exchange_strong(expected, State::kWriting)) return;
  const int64_t bytes = bytes_of_record(cells);
  const int64_t offset = new_place(sample, bytes);
  if (offset == CacheIndex::kNowhere) return;
  static thread_local std::vector<std::byte> record;
  record.assign(static_cast<size_t>(bytes), std::byte{0});
  write_record(cells, record.data());
  if (!storage_->write(offset, record)) {
    is_refused_ = true;
    return;
  }
  index_.offsets[at] = offset;
  index_.sizes[at] = bytes;
  if (options_.kind == CacheKind::kDisk) index_.checksums[at] = checksum_of(record);
  states_[at].store(State::kThere, std::memory_order_release);
  if (++stored_ == options_.samples) keep(true);
}

}  // namespace hearth
