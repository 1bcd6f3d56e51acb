// Up to a peak and down far below the start, once.
#pragma once

#include <string>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct OneCycleOptions {
  double peak = 0.01;
  Time length = percent(100);
  double rise = 0.3;
  double first_divisor = 25;
  double last_divisor = 10000;
  std::string shape = "cosine";
  bool three_phases = false;
  static const Schema<OneCycleOptions>& schema();
};

[[nodiscard]] Choice<Schedule> one_cycle(OneCycleOptions options = {});

}  // namespace hearth::schedules
