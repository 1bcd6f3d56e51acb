// AdamW that needs no schedule: what is learned is an average.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct ScheduleFreeAdamwOptions {
  Scheduled lr = 0.0025;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  double weight_lr_power = 2;
  double step_power = 0;
  static const Schema<ScheduleFreeAdamwOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> schedule_free_adamw(ScheduleFreeAdamwOptions options = {});

}  // namespace hearth::optimizers
