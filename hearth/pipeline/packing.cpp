// Samples in their order, gathered shard by shard.
#include "hearth/pipeline/packing.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/data/packed_format.h"
#include "hearth/format/safetensors.h"
#include "hearth/format/safetensors_writer.h"

namespace hearth {

namespace {

constexpr int64_t kPackBatch = 64;

// A key's values of the shard that is gathered.
class PackedColumn {
 public:
  explicit PackedColumn(const KeySpec& key) : key_(key) {}

  void add(const View& value) {
    const auto count = value.elements() * static_cast<size_t>(size_of(value.spec->dtype));
    bytes_.insert(bytes_.end(), value.data, value.data + count);
    ++samples_;
    if (!key_.spec.is_ragged()) return;
    offsets_.push_back(static_cast<int64_t>(bytes_.size()));
    shapes_.insert(shapes_.end(), value.shape.begin(), value.shape.end());
    checksums_.push_back(packed_checksum(value.data, count));
  }

  void add_tensors(std::vector<TensorView>& tensors) const {
    if (!key_.spec.is_ragged()) {
      std::vector<int64_t> shape = {samples_};
      shape.insert(shape.end(), key_.spec.shape.begin(), key_.spec.shape.end());
      tensors.push_back({key_.key, packed_dtype(key_.spec.dtype), shape, bytes_});
      return;
    }
    const auto rank = static_cast<int64_t>(key_.spec.shape.size());
    tensors.push_back({key_.key + ".bytes", "U8", {static_cast<int64_t>(bytes_.size())}, bytes_});
    tensors.push_back(
        {key_.key + ".offsets", "I64", {samples_ + 1}, std::as_bytes(std::span(offsets_))});
    tensors.push_back(
        {key_.key + ".shapes", "I64", {samples_, rank}, std::as_bytes(std::span(shapes_))});
    tensors.push_back({key_.key + ".crc", "U32", {samples_}, std::as_bytes(std::span(checksums_))});
  }

 private:
  KeySpec key_;
  int64_t samples_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<int64_t> offsets_ = {0};
  std::vector<int64_t> shapes_;
  std::vector<uint32_t> checksums_;
};

int64_t bytes_of_sample(const PipelineBatch& batch, const std::vector<KeySpec>& keys, int64_t row) {
  int64_t bytes = 0;
  for (const KeySpec& key : keys)
    bytes += static_cast<int64_t>(batch.row(key.key, row).elements()) * size_of(key.spec.dtype);
  return bytes;
}

std::string shard_name(int64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 5 - std::min<size_t>(digits.size(), 5), '0');
  return "shard-" + digits + ".safetensors";
}

std::string file_digest(const std::filesystem::path& path) {
  constexpr size_t kPiece = size_t{1} << 20;
  const FileHandle file = open_to_read(path);
  const uint64_t size = file_size(file, path);
  std::vector<std::byte> piece(kPiece);
  Sha256 digest;
  for (uint64_t at = 0; at < size; at += kPiece) {
    const std::span part(piece.data(), static_cast<size_t>(std::min<uint64_t>(kPiece, size - at)));
    read_at(file, at, part, path);
    digest.add(part);
  }
  return digest.finish_hex();
}

DataOptions packing_options(DataOptions options) {
  options.batch_size = kPackBatch;
  options.shuffle = false;
  options.order = {};
  options.last_batch = "keep";
  options.drop_last = false;
  options.on_error = "raise";
  options.cache = "none";
  return options;
}

class Packer {
 public:
  Packer(const DataOptions& options, Mode mode, const PackOptions& how)
      : how_(how),
        pipeline_(packing_options(options), {.only_fixed_ops = true}),
        batches_(pipeline_.batches(mode)),
        keys_(pipeline_.keys(mode)),
        samples_(pipeline_.source(mode).size()) {
    const PipelineBatch first = batches_.batch(0);
    made_of_ = pipeline_.source(mode).fingerprint() + "\n" + first.host().plan().fixed_identity;
    for (const DataStep& step : first.host().plan().steps) ops_.push_back(step.name);
    per_shard_ = samples_per_shard(first);
  }

  PackReport run() {
    make_folder(how_.folder);
    const FolderLock lock(how_.folder);
    remove_stale_drafts(how_.folder);
    PackReport report;
    PackedManifest manifest{keys_, {}, made_of_};
    for (int64_t first = 0; first < samples_; first += per_shard_) {
      const int64_t count = std::min(per_shard_, samples_ - first);
      const std::filesystem::path path = how_.folder / shard_name(report.shards);
      const std::optional<int64_t> kept = finished_samples(path, first);
      const int64_t packed = kept ? *kept : write_shard(path, first, count);
      report.kept_shards += kept ? 1 : 0;
      add_to_manifest(manifest, path, packed);
      ++report.shards;
      report.bytes += manifest.shards.back().bytes;
      if (how_.on_progress) how_.on_progress(first + count, samples_);
    }
    write_file_durably(how_.folder / kManifestName, manifest.text());
    report.samples = manifest.samples();
    report.ops = ops_;
    return report;
  }

 private:
  // A whole number of batches. By the first ones, where sizes differ.
  [[nodiscard]] int64_t samples_per_shard(const PipelineBatch& first) const {
    int64_t bytes = 0;
    for (int64_t row = 0; row < first.rows(); ++row) bytes += bytes_of_sample(first, keys_, row);
    const int64_t mean = std::max<int64_t>(bytes / first.rows(), 1);
    return std::max<int64_t>(how_.shard_bytes / mean / kPackBatch, 1) * kPackBatch;
  }

  // A shard has its name only once it is whole; whether it is of these data, it says itself.
  [[nodiscard]] std::optional<int64_t> finished_samples(const std::filesystem::path& path,
                                                        int64_t first) const {
    if (!is_there(path)) return std::nullopt;
    try {
      const SafetensorsFile file(path);
      const auto& metadata = file.metadata();
      const auto says = [&](const char* name, const std::string& expected) {
        const auto found = metadata.find(name);
        return found != metadata.end() && found->second == expected;
      };
      if (!says("made_of", made_of_) || !says("first", std::to_string(first)) ||
          !says("samples_per_shard", std::to_string(per_shard_)))
        return std::nullopt;
      file.verify_digest();
      return read_integer(metadata.at("samples"));
    } catch (const DataError&) {  // damaged: written anew
      return std::nullopt;
    }
  }

  // How many samples came into it: those that an op filters out do not.
  [[nodiscard]] int64_t write_shard(const std::filesystem::path& path, int64_t first,
                                    int64_t count) {
    std::vector<PackedColumn> columns(keys_.begin(), keys_.end());
    if (next_ != first) at_ = batches_.from(first / kPackBatch);
    int64_t packed = 0;
    for (next_ = first; next_ < first + count; ++at_) {
      for (int64_t row = 0; row < at_->real_rows(); ++row)
        for (size_t k = 0; k < keys_.size(); ++k) columns[k].add(at_->row(keys_[k].key, row));
      packed += at_->real_rows();
      next_ += at_->rows();
      if (how_.on_progress) how_.on_progress(next_, samples_);
    }
    std::vector<TensorView> tensors;
    for (const PackedColumn& column : columns) column.add_tensors(tensors);
    write_safetensors(path, std::move(tensors),
                      {.metadata = {{"made_of", made_of_},
                                    {"first", std::to_string(first)},
                                    {"samples", std::to_string(packed)},
                                    {"samples_per_shard", std::to_string(per_shard_)}}});
    SafetensorsFile(path).verify_digest();
    return packed;
  }

  void add_to_manifest(PackedManifest& manifest, const std::filesystem::path& path,
                       int64_t count) const {
    manifest.shards.push_back(
        {path.filename().string(), count, file_size(open_to_read(path), path), file_digest(path)});
  }

  const PackOptions& how_;
  Pipeline pipeline_;
  PipelineBatches batches_;
  std::vector<KeySpec> keys_;
  int64_t samples_;
  std::string made_of_;
  std::vector<std::string> ops_;
  int64_t per_shard_ = kPackBatch;
  PipelineBatches::Iterator at_;
  int64_t next_ = -1;  // the sample that `at_` begins with
};

}  // namespace

PackReport pack(const DataOptions& options, Mode mode, const PackOptions& how) {
  return Packer(options, mode, how).run();
}

}  // namespace hearth
