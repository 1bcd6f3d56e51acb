// Values that hold for a stretch of training each.
#pragma once

#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct PiecewiseOptions {
  std::vector<double> values = {0.001};
  std::vector<Time> at = {};
  static const Schema<PiecewiseOptions>& schema();
};

[[nodiscard]] Choice<Schedule> piecewise(PiecewiseOptions options = {});

}  // namespace hearth::schedules
