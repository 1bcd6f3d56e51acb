// Adam with the greatest gradient in the place of the mean square.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct AdamaxOptions {
  Scheduled lr = 0.002;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool maximize = false;
  static const Schema<AdamaxOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> adamax(AdamaxOptions options = {});

}  // namespace hearth::optimizers
