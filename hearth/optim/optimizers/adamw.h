// Adam with decoupled weight decay.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct AdamwOptions {
  Scheduled lr = 0.001;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0.01;
  bool amsgrad = false;
  bool maximize = false;
  static const Schema<AdamwOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> adamw(AdamwOptions options = {});

}  // namespace hearth::optimizers
