// Stochastic gradient descent, with momentum.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct SgdOptions {
  Scheduled lr = 0.01;
  double momentum = 0;
  double dampening = 0;
  bool nesterov = false;
  double weight_decay = 0;
  bool maximize = false;
  static const Schema<SgdOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> sgd(SgdOptions options = {});

}  // namespace hearth::optimizers
