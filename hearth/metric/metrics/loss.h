// The mean of a loss over all samples.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct LossOptions {
  std::string in = "loss";
  std::string weight_by = "label";  // each batch counts by its rows
  std::string weight = {};          // or by the weights and masks of its samples or places
  std::string mask = {};
  std::string out = "loss";
  static const Schema<LossOptions>& schema();
};

[[nodiscard]] Choice<Metric> loss(LossOptions options = {});

}  // namespace hearth::metrics
