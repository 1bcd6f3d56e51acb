// A value that falls by the same factor in equal times.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct ExponentialOptions {
  double first = 0.1;
  double factor = 0.9;
  Time every = epochs(1);
  static const Schema<ExponentialOptions>& schema();
};

[[nodiscard]] Choice<Schedule> exponential(ExponentialOptions options = {});

}  // namespace hearth::schedules
