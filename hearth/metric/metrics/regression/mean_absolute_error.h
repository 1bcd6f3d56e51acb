// How far predicted numbers are from the true ones, in the mean.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct MeanAbsoluteErrorOptions {
  std::vector<std::string> in = {"prediction", "target"};
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = "mean_absolute_error";
  static const Schema<MeanAbsoluteErrorOptions>& schema();
};

[[nodiscard]] Choice<Metric> mean_absolute_error(MeanAbsoluteErrorOptions options = {});

}  // namespace hearth::metrics
