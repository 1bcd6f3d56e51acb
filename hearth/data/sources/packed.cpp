// Packed data as a source.
#include "hearth/data/sources/packed.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "hearth/base/digest.h"
#include "hearth/config/registry.h"
#include "hearth/data/packed_shard.h"
#include "hearth/data/sharded.h"

namespace hearth::sources {

namespace {

class Packed : public Source, public Sharded {
 public:
  using Options = PackedOptions;
  explicit Packed(Options options) : options_(std::move(options)) {}

  void open() override {
    const std::filesystem::path folder(options_.folder);
    const PackedManifest manifest = read_manifest(folder);
    keys_ = manifest.keys;
    fingerprint_ = "packed:sha256:" + sha256_hex(manifest.text());
    for (const PackedShard& shard : manifest.shards) {
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + shard.samples);
      shards_.push_back(std::make_unique<MappedShard>(folder / shard.file, shard, keys_));
    }
  }

  std::vector<KeySpec> keys() const override { return keys_; }
  int64_t size() const override { return ends_.back(); }
  std::vector<int64_t> shard_ends() const override { return ends_; }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const size_t shard = shard_of(index);
    for (size_t k = 0; k < cells.size(); ++k)
      if (cells[k].is_wanted()) shards_[shard]->read(index - first_of(shard), k, cells[k]);
  }

  std::string fingerprint() const override { return fingerprint_; }
  std::string describe(int64_t index) const override {
    const size_t shard = shard_of(index);
    return shards_[shard]->path().filename().string() + "[" +
           std::to_string(index - first_of(shard)) + "]";
  }

 private:
  [[nodiscard]] size_t shard_of(int64_t index) const {
    return static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), index) - ends_.begin());
  }
  [[nodiscard]] int64_t first_of(size_t shard) const { return shard == 0 ? 0 : ends_[shard - 1]; }

  Options options_;
  std::vector<KeySpec> keys_;
  std::string fingerprint_;
  std::vector<int64_t> ends_;  // the sample after each shard's last
  std::vector<std::unique_ptr<MappedShard>> shards_;
};

}  // namespace

const Schema<PackedOptions>& PackedOptions::schema() {
  using O = PackedOptions;
  static const auto schema =
      Schema<O>().field(&O::folder, "folder", "A folder that `hearth data pack` wrote.", is_path(),
                        required(), not_empty());
  return schema;
}

Choice<Source> packed(PackedOptions options) { return choose<Source>("packed", options); }

void register_packed(Registry<Source>& registry) {
  registry.add<Packed>("packed", "What `hearth data pack` wrote: samples after their fixed ops.");
}

}  // namespace hearth::sources
