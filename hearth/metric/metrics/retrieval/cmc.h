// Shares of samples that find one of their identity among the k nearest, for several k.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct CmcOptions {
  std::vector<std::string> in = {"point", "label"};
  std::string distance = "euclidean";
  std::vector<int64_t> k = {1, 5, 10};
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<CmcOptions>& schema();
};

[[nodiscard]] Choice<Metric> cmc(const CmcOptions& options = {});

}  // namespace hearth::metrics
