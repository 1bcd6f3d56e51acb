// The mean of the squares of predicted minus true numbers.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct MeanSquaredErrorOptions {
  std::vector<std::string> in = {"prediction", "target"};
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = "mean_squared_error";
  static const Schema<MeanSquaredErrorOptions>& schema();
};

[[nodiscard]] Choice<Metric> mean_squared_error(MeanSquaredErrorOptions options = {});

}  // namespace hearth::metrics
