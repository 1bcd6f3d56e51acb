// Writes what a pipeline's fixed ops make of every sample into packed data. Shards that an earlier,
// killed process finished are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

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

// DataError when a sample cannot be read, the
// disk refuses, or the folder holds something else.
PackReport pack(const DataOptions& options, Mode mode, const PackOptions& how);

}  // namespace hearth
