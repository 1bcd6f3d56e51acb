// A straight line from one value to another over a stretch of the run.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct LinearOptions {
  double first = 0.001;
  double last = 0;
  Time start = steps(0);
  Time end = percent(100);
  static const Schema<LinearOptions>& schema();
};

[[nodiscard]] Choice<Schedule> linear(LinearOptions options = {});

}  // namespace hearth::schedules
