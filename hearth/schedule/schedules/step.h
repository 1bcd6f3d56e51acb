// A value that is multiplied by a factor again and again.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct StepOptions {
  double first = 0.1;
  double factor = 0.1;
  Time every = epochs(30);
  static const Schema<StepOptions>& schema();
};

[[nodiscard]] Choice<Schedule> step(StepOptions options = {});

}  // namespace hearth::schedules
