// How often each class was taken for which.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct ConfusionOptions {
  std::vector<std::string> in = {"logits", "label"};
  double threshold = 0;
  std::string weight = {};
  std::string mask = {};
  std::string out = "confusion";
  static const Schema<ConfusionOptions>& schema();
};

[[nodiscard]] Choice<Metric> confusion(ConfusionOptions options = {});

}  // namespace hearth::metrics
