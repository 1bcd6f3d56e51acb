// The F score with another weight of recall than F1's.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct FBetaOptions {
  std::vector<std::string> in = {"logits", "label"};
  double threshold = 0;
  double beta = 2;
  std::string average = "macro";  // which of them is the headline
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<FBetaOptions>& schema();
};

[[nodiscard]] Choice<Metric> f_beta(const FBetaOptions& options = {});

}  // namespace hearth::metrics
