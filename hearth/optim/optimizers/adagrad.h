// Steps divided by all squares of gradients so far.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct AdagradOptions {
  Scheduled lr = 0.01;
  double lr_decay = 0;
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double eps = 1e-10;
  bool maximize = false;
  static const Schema<AdagradOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> adagrad(AdagradOptions options = {});

}  // namespace hearth::optimizers
