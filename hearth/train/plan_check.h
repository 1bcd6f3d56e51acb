// Looks at a whole run before anything runs: every plan, its times, its sizes. What `check` and
// `train` find is the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hearth/train/experiment_graph.h"

namespace hearth {

struct RunCheck {
  std::vector<std::string> warnings;  // with their places; the run goes on
  uint64_t batch_bytes = 0;           // host memory of the loaders
  // Keys whose size differs from sample to sample, and what a loader's values of them may take.
  int64_t ragged_values = 0;
  uint64_t most_ragged_bytes = 0;
  uint64_t model_bytes = 0;       // parameters, gradients and optimizer state
  uint64_t activation_bytes = 0;  // what layers that learn give, kept for the gradients
};

// Sees each plan that compiled: every mode that has data, and prediction, at every change.
using LookAtPlan =
    std::function<void(const DataSet& set, const Moment& moment, const CompiledPlan& compiled)>;

// ConfigError or GraphError with all faults, a line each.
[[nodiscard]] RunCheck check_run(ExperimentGraph& experiment, const LookAtPlan& look = {});

}  // namespace hearth
