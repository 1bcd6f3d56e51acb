// Metrics that a program computes by a function of its own. A config file cannot name them, unless
// the program that reads it has made them before: a run resumes in the same program. For a metric
// with a state of its own, derive from Metric and register the class.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct CodeMetric {
  std::vector<std::string> in;  // keys
  // A number for each sample of a batch, or for each place, [B, ...]; on the batch's device,
  // without waiting for values.
  std::function<at::Tensor(std::span<const at::Tensor>)> values;
  // What the mean of all these comes to; left out: itself.
  std::function<double(double)> finish = {};
  bool is_better_when_higher = true;
  std::string weight = {};  // keys, as other metrics have them
  std::string mask = {};
};

// A metric of that name, for `metrics`; it replaces one that the program made before. ConfigError
// without keys or a function.
[[nodiscard]] Choice<Metric> mean_of(const std::string& name, CodeMetric metric);

}  // namespace hearth::metrics
