// One shard of packed data, mapped into memory.
#include "hearth/data/packed_shard.h"

#include <sys/mman.h>

#include <cstring>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/safetensors.h"

namespace hearth {

namespace {

const TensorEntry& packed_tensor(const SafetensorsFile& file, const std::string& name,
                                 const std::string& dtype, const std::vector<int64_t>& shape) {
  const TensorEntry* entry = file.find(name);
  if (entry == nullptr)
    throw DataError(file.path().string() + ": there is no tensor " + quote(name) +
                    ", which the manifest promises.");
  if (entry->dtype != dtype || entry->shape != shape)
    throw DataError(file.path().string() + ": the tensor " + quote(name) +
                    " is not of the type and shape that the manifest promises.");
  return *entry;
}

template <class T>
const T* numbers_at(const std::byte* from) {
  return reinterpret_cast<const T*>(from);
}

}  // namespace

MappedShard::MappedShard(const std::filesystem::path& path, const PackedShard& shard,
                         const std::vector<KeySpec>& keys)
    : path_(path), samples_(shard.samples), file_(open_to_read(path)), digest_(shard.sha256) {
  const SafetensorsFile file(path);
  bytes_ = file_size(file_, path);
  if (bytes_ != shard.bytes)
    throw DataError(path.string() + " has " + human_count(bytes_) +
                    " bytes, but the manifest says " + human_count(shard.bytes) +
                    ". Pack the data again.");
  void* start = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file_.descriptor(), 0);
  if (start == MAP_FAILED) throw DataError(path.string() + " cannot be mapped into memory.");
  start_ = static_cast<const std::byte*>(start);
  try {
    for (const KeySpec& key : keys) columns_.push_back(column(file, key));
  } catch (...) {
    ::munmap(start, bytes_);
    throw;
  }
}

MappedShard::~MappedShard() { ::munmap(const_cast<std::byte*>(start_), bytes_); }

MappedShard::Column MappedShard::column(const SafetensorsFile& file, const KeySpec& key) const {
  const std::byte* data = start_ + file.data_begin();
  Column column;
  if (!key.spec.is_ragged()) {
    std::vector<int64_t> shape = {samples_};
    shape.insert(shape.end(), key.spec.shape.begin(), key.spec.shape.end());
    column.bytes = data + packed_tensor(file, key.key, packed_dtype(key.spec.dtype), shape).begin;
    column.row_bytes = key.spec.bytes();
    if (file.find(key.key + ".crc") != nullptr) take_checksums(file, key.key, column);
    return column;
  }
  const TensorEntry* bytes = file.find(key.key + ".bytes");
  column.size = bytes != nullptr ? bytes->bytes() : 0;
  column.bytes =
      data +
      packed_tensor(file, key.key + ".bytes", "U8", {static_cast<int64_t>(column.size)}).begin;
  const auto rank = static_cast<int64_t>(key.spec.shape.size());
  column.offsets = numbers_at<int64_t>(
      data + packed_tensor(file, key.key + ".offsets", "I64", {samples_ + 1}).begin);
  column.shapes = numbers_at<int64_t>(
      data + packed_tensor(file, key.key + ".shapes", "I64", {samples_, rank}).begin);
  take_checksums(file, key.key, column);
  return column;
}

void MappedShard::take_checksums(const SafetensorsFile& file, const std::string& key,
                                 Column& column) const {
  column.checksums = numbers_at<uint32_t>(
      start_ + file.data_begin() + packed_tensor(file, key + ".crc", "U32", {samples_}).begin);
  column.are_checked =
      std::make_unique<std::atomic<bool>[]>(static_cast<size_t>(samples_));  // NOLINT
}

void MappedShard::read(int64_t sample, size_t key, const Cell& cell) const {
  const Column& column = columns_[key];
  if (column.offsets != nullptr) return read_ragged(sample, column, cell);
  const std::span value(column.bytes + sample * column.row_bytes,
                        static_cast<size_t>(column.row_bytes));
  check(sample, column, value);
  std::memcpy(cell.view().data, value.data(), value.size());
}

// A value's sum is checked once. Without sums, the whole shard's is.
void MappedShard::check(int64_t sample, const Column& column,
                        std::span<const std::byte> value) const {
  if (column.checksums == nullptr) {
    if (has_digest_of_manifest()) return;
    throw DataError(
        "its shard does not have the digest that the manifest says. Pack the data again.");
  }
  std::atomic<bool>& is_checked = column.are_checked[static_cast<size_t>(sample)];
  if (is_checked.load(std::memory_order_relaxed)) return;
  if (packed_checksum(value.data(), value.size()) != column.checksums[sample])
    throw DataError("its bytes do not have their checksum. Pack the data again.");
  is_checked.store(true, std::memory_order_relaxed);
}

bool MappedShard::has_digest_of_manifest() const {
  std::call_once(is_looked_at_, [&] {
    has_digest_ = sha256_hex({reinterpret_cast<const char*>(start_), bytes_}) == digest_;
  });
  return has_digest_;
}

// Whatever the file says is checked against its own size first.
void MappedShard::read_ragged(int64_t sample, const Column& column, const Cell& cell) const {
  const int64_t begin = column.offsets[sample];
  const int64_t end = column.offsets[sample + 1];
  const auto rank = static_cast<int64_t>(cell.spec().shape.size());
  const std::span shape(column.shapes + sample * rank, static_cast<size_t>(rank));
  const auto is_size = [&](int64_t bytes) {
    for (const int64_t length : shape)
      if (length < 0 || __builtin_mul_overflow(bytes, length, &bytes)) return false;
    return bytes == end - begin;
  };
  if (begin < 0 || end < begin || static_cast<uint64_t>(end) > column.size ||
      !is_size(size_of(cell.spec().dtype)))
    throw DataError("its place in the shard is damaged. Pack the data again.");
  const std::span value(column.bytes + begin, static_cast<size_t>(end - begin));
  check(sample, column, value);
  std::memcpy(cell.take(shape).data, value.data(), value.size());
}

}  // namespace hearth
