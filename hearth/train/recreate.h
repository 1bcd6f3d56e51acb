// A run trained again from its folder, to see whether its bits come out again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/core/run_comparison.h"
#include "hearth/train/estimator.h"

namespace hearth {

struct Recreation {
  std::string run_folder;            // the new one; empty on all ranks but the first
  RunComparison comparison;          // the old run first
  std::vector<std::string> changes;  // what the old run was changed to on its way, if it was
};

// Trains it below `parent`, as far as the run in `run` has come; that one is only read. Of several
// processes the first keeps the new run, and compares.
[[nodiscard]] Recreation recreate(const std::filesystem::path& run,
                                  const std::filesystem::path& parent,
                                  EstimatorSettings settings = {});

}  // namespace hearth
