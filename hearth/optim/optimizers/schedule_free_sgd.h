// Descent that needs no schedule: what is learned is an average.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct ScheduleFreeSgdOptions {
  Scheduled lr = 1;
  double momentum = 0.9;
  double weight_decay = 0;
  double weight_lr_power = 2;
  double step_power = 0;
  static const Schema<ScheduleFreeSgdOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> schedule_free_sgd(ScheduleFreeSgdOptions options = {});

}  // namespace hearth::optimizers
