// Samples in their order, gathered shard by shard.
#include "hearth/pipeline/packing.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/data/opened_file.h"
#include "hearth/data/packed_format.h"
#include "hearth/format/safetensors.h"
#include "hearth/format/safetensors_writer.h"

namespace hearth {

namespace {

// A key's values of the shard that is gathered.
class PackedColumn {
 public:
  explicit PackedColumn(const KeySpec& key) : key_(key) {}

  void add(const View& value) {
    const auto count = value.elements() * static_cast<size_t>(size_of(value.spec->dtype));
    bytes_.insert(bytes_.end(), value.data, value.data + count);
    ++samples_;
    checksums_.push_back(packed_checksum(value.data, count));
    if (!key_.spec.is_ragged()) return;
    offsets_.push_back(static_cast<int64_t>(bytes_.size()));
    shapes_.insert(shapes_.end(), value.shape.begin(), value.shape.end());
  }

  void add_tensors(std::vector<TensorView>& tensors) const {
    tensors.push_back({key_.key + ".crc", "U32", {samples_}, std::as_bytes(std::span(checksums_))});
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
  }

 private:
  KeySpec key_;
  int64_t samples_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<int64_t> offsets_ = {0};
  std::vector<int64_t> shapes_;
  std::vector<uint32_t> checksums_;
};

int64_t bytes_of_values(std::span<const View> values) {
  int64_t bytes = 0;
  for (const View& value : values)
    bytes += static_cast<int64_t>(value.elements()) * size_of(value.spec->dtype);
  return bytes;
}

std::string shard_name(int64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 5 - std::min<size_t>(digits.size(), 5), '0');
  return "shard-" + digits + ".safetensors";
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
  Packer(const PackInput& input, const PackOptions& how) : input_(input), how_(how) {
    per_shard_ = samples_per_shard();
  }

  PackReport run() {
    make_folder(how_.folder);
    const FolderLock lock(how_.folder);
    remove_stale_drafts(how_.folder);
    PackReport report;
    PackedManifest manifest{input_.keys, {}, input_.made_of};
    for (int64_t first = 0; first < input_.samples; first += per_shard_) {
      const int64_t count = std::min(per_shard_, input_.samples - first);
      const std::filesystem::path path = how_.folder / shard_name(report.shards);
      const std::optional<int64_t> kept = finished_samples(path, first);
      const int64_t packed = kept ? *kept : write_shard(path, first, count);
      report.kept_shards += kept ? 1 : 0;
      add_to_manifest(manifest, path, packed);
      ++report.shards;
      report.bytes += manifest.shards.back().bytes;
      if (how_.on_progress) how_.on_progress(first + count, input_.samples);
    }
    write_file_durably(how_.folder / kManifestName, manifest.text());
    report.samples = manifest.samples();
    return report;
  }

 private:
  // A whole number of batches. By the first one, where sizes differ.
  [[nodiscard]] int64_t samples_per_shard() const {
    int64_t bytes = 0;
    int64_t rows = 0;
    const auto count = [&](std::span<const View> values) {
      bytes += bytes_of_values(values);
      ++rows;
    };
    if (input_.samples > 0) input_.batch(0, count);
    const int64_t mean = std::max<int64_t>(bytes / std::max<int64_t>(rows, 1), 1);
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
      if (!says("made_of", input_.made_of) || !says("first", std::to_string(first)) ||
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
    std::vector<PackedColumn> columns(input_.keys.begin(), input_.keys.end());
    int64_t packed = 0;
    const auto take = [&](std::span<const View> values) {
      for (size_t k = 0; k < values.size(); ++k) columns[k].add(values[k]);
      ++packed;
    };
    for (int64_t next = first; next < first + count; next += kPackBatch) {
      input_.batch(next, take);
      if (how_.on_progress)
        how_.on_progress(std::min(next + kPackBatch, first + count), input_.samples);
    }
    std::vector<TensorView> tensors;
    for (const PackedColumn& column : columns) column.add_tensors(tensors);
    write_safetensors(path, std::move(tensors),
                      {.metadata = {{"made_of", input_.made_of},
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

  const PackInput& input_;
  const PackOptions& how_;
  int64_t per_shard_ = kPackBatch;
};

// What a pipeline's fixed ops make, batch after batch.
class FixedSamples {
 public:
  FixedSamples(const DataOptions& options, Mode mode)
      : pipeline_(packing_options(options), {.only_fixed_ops = true}),
        batches_(pipeline_.batches(mode)),
        keys_(pipeline_.keys(mode)),
        samples_(pipeline_.source(mode).size()),
        fingerprint_(pipeline_.source(mode).fingerprint()) {}

  [[nodiscard]] PackInput input() {
    const PipelineBatch first = batches_.batch(0);
    for (const DataStep& step : first.host().plan().steps)
      for (const std::string& name : split(step.name, '+')) ops_.push_back(name);
    return {.keys = keys_,
            .samples = samples_,
            .made_of = fingerprint_ + "\n" + first.host().plan().fixed_identity,
            .batch = [this](int64_t begin, const PackInput::Take& take) { give(begin, take); }};
  }
  [[nodiscard]] const std::vector<std::string>& ops() const { return ops_; }

 private:
  void give(int64_t begin, const PackInput::Take& take) {
    if (next_ != begin) at_ = batches_.from(begin / kPackBatch);
    std::vector<View> values(keys_.size());
    for (int64_t row = 0; row < at_->real_rows(); ++row) {
      for (size_t k = 0; k < keys_.size(); ++k) values[k] = at_->row(keys_[k].key, row);
      take(values);
    }
    next_ = begin + at_->rows();
    ++at_;
  }

  Pipeline pipeline_;
  PipelineBatches batches_;
  std::vector<KeySpec> keys_;
  int64_t samples_;
  std::string fingerprint_;
  std::vector<std::string> ops_;
  PipelineBatches::Iterator at_;
  int64_t next_ = -1;  // the sample that `at_` begins with
};

}  // namespace

PackReport pack(const PackInput& input, const PackOptions& how) { return Packer(input, how).run(); }

PackReport pack(const DataOptions& options, Mode mode, const PackOptions& how) {
  FixedSamples samples(options, mode);
  PackReport report = pack(samples.input(), how);
  report.ops = samples.ops();
  return report;
}

}  // namespace hearth
