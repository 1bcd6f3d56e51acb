// Options that metrics of clusters share. Needs no LibTorch.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct ClusterMetricOptions {
  std::vector<std::string> in = {"cluster", "label"};
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<ClusterMetricOptions>& schema();
};

}  // namespace hearth::metrics
