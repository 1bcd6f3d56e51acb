// A value that is multiplied by a factor at given times.
#pragma once

#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct MultiStepOptions {
  double first = 0.1;
  double factor = 0.1;
  std::vector<Time> at = {};
  static const Schema<MultiStepOptions>& schema();
};

[[nodiscard]] Choice<Schedule> multi_step(MultiStepOptions options = {});

}  // namespace hearth::schedules
