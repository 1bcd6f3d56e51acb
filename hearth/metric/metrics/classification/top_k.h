// Share of samples whose label is among the k highest scores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct TopKOptions {
  std::vector<std::string> in = {"logits", "label"};
  int64_t k = 5;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = "top_k";
  static const Schema<TopKOptions>& schema();
};

[[nodiscard]] Choice<Metric> top_k(TopKOptions options = {});

}  // namespace hearth::metrics
