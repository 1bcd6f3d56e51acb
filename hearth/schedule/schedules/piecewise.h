// Values that hold for a stretch of training each.
#pragma once

#include <utility>
#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

// Either `pieces`, each from its time on, the first from 0; or `values` with `at`.
struct PiecewiseOptions {
  std::vector<Scheduled> values = {0.001};
  std::vector<Time> at = {};
  std::vector<std::pair<Time, Scheduled>> pieces = {};
  static const Schema<PiecewiseOptions>& schema();
};

[[nodiscard]] Choice<Schedule> piecewise(PiecewiseOptions options = {});

}  // namespace hearth::schedules
