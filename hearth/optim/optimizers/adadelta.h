// Steps as long as those before, by their squares and the gradients'.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct AdadeltaOptions {
  Scheduled lr = 1;
  double rho = 0.9;
  double eps = 1e-6;
  double weight_decay = 0;
  bool maximize = false;
  static const Schema<AdadeltaOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> adadelta(AdadeltaOptions options = {});

}  // namespace hearth::optimizers
