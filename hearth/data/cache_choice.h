// Whether and where a set's samples are cached, and the arithmetic behind it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "hearth/data/data_plan.h"
#include "hearth/data/sample_cache.h"

namespace hearth {

struct CacheRequest {
  std::string wanted = "none";  // none, memory, disk, auto
  int64_t memory_bytes = 0;     // what a cache in memory may take
  std::filesystem::path folder = {};
  std::string source = {};  // the source's name and options, as text
};

struct CacheChoice {
  CacheKind kind = CacheKind::kNone;
  int64_t needed_bytes = 0;  // for all samples; 0 when nobody knows before they are read
  int64_t most_bytes = 0;    // of records
  std::string text = {};     // "in memory: 60,000 samples x 3.1 KiB after normalize = ..."
};
[[nodiscard]] CacheChoice choose_cache(const CacheRequest& request, const DataPlan& plan);

// Null for none.
[[nodiscard]] std::shared_ptr<SampleCache> make_cache(const CacheRequest& request,
                                                      const CacheChoice& choice,
                                                      const DataPlan& plan);

}  // namespace hearth
