// Options that metrics of regression share. Needs no LibTorch.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct NumberMetricOptions {
  std::vector<std::string> in = {"prediction", "target"};
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<NumberMetricOptions>& schema();
};

}  // namespace hearth::metrics
