// Share of samples whose highest score is the label's.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct AccuracyOptions {
  std::vector<std::string> in = {"logits", "label"};
  double threshold = 0;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = "accuracy";
  static const Schema<AccuracyOptions>& schema();
};

[[nodiscard]] Choice<Metric> accuracy(AccuracyOptions options = {});

}  // namespace hearth::metrics
