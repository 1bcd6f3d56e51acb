// How much labels and answers agree beyond chance.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct CohenKappaOptions {
  std::vector<std::string> in = {"logits", "label"};
  double threshold = 0;
  std::string distance = "none";
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<CohenKappaOptions>& schema();
};

[[nodiscard]] Choice<Metric> cohen_kappa(const CohenKappaOptions& options = {});

}  // namespace hearth::metrics
