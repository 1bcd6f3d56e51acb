// Share of samples whose highest score is the label's.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::metrics {

struct AccuracyOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "accuracy";
  static const Schema<AccuracyOptions>& schema();
};

[[nodiscard]] Choice<Metric> accuracy(AccuracyOptions options = {});

}  // namespace hearth::metrics
