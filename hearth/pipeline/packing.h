// Writes what a pipeline's fixed ops make of every sample, or whatever else has samples in batches,
// into packed data. Shards that an earlier, killed process finished are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hearth/pipeline/pipeline.h"

namespace hearth {

struct PackOptions {
  std::filesystem::path folder;
  int64_t shard_bytes = int64_t{128} << 20;  // about; the last one is smaller
  std::function<void(int64_t done, int64_t all)> on_progress = {};
};

struct PackReport {
  int64_t samples = 0;
  int64_t shards = 0;
  int64_t kept_shards = 0;  // of an earlier process
  uint64_t bytes = 0;
  std::vector<std::string> ops = {};  // that ran, by name
};

// Samples to pack, a batch of kPackBatch at a time.
inline constexpr int64_t kPackBatch = 64;
struct PackInput {
  std::vector<KeySpec> keys;
  int64_t samples = 0;
  std::string made_of;  // other data has another one
  // Gives the batch that begins with sample `first` to `take`, a value for each key, sample by
  // sample; those that are filtered out are left out.
  using Take = std::function<void(std::span<const View> values)>;
  std::function<void(int64_t first, const Take& take)> batch = {};
};
// DataError when a sample cannot be read, the
// disk refuses, or the folder holds something else.
PackReport pack(const PackInput& input, const PackOptions& how);
PackReport pack(const DataOptions& options, Mode mode, const PackOptions& how);

}  // namespace hearth
