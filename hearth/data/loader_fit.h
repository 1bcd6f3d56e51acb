// Options of a loader made to fit into memory: fewer batches ahead first, then fewer workers.
#pragma once

#include <cstdint>

#include "hearth/data/loader.h"

namespace hearth {

struct LoaderBudget {
  int64_t most_bytes = 0;  // of batches and scratch
  bool may_choose_workers = true;
  uint64_t source_bytes = 0;  // that are spent already, for the message
};

// What is left of the budget is the limit of values whose size differs. ConfigError with the
// numbers when not even one batch at a time fits.
[[nodiscard]] LoaderOptions fit_loader(LoaderOptions options, const DataPlan& plan,
                                       const LoaderBudget& budget);

}  // namespace hearth
