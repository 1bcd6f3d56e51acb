// The F1 score: precision and recall in one number, of every class and over all.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct F1Options {
  std::vector<std::string> in = {"logits", "label"};
  double threshold = 0;
  std::string average = "macro";  // which of them is the headline
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = "f1";
  static const Schema<F1Options>& schema();
};

[[nodiscard]] Choice<Metric> f1(F1Options options = {});

}  // namespace hearth::metrics
