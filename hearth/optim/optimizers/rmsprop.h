// Steps divided by the root of the mean square.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct RmspropOptions {
  Scheduled lr = 0.01;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
  bool maximize = false;
  static const Schema<RmspropOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> rmsprop(RmspropOptions options = {});

}  // namespace hearth::optimizers
