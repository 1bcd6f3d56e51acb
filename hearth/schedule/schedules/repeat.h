// Values that come one after another, again and again.
#pragma once

#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct RepeatOptions {
  std::vector<Scheduled> values = {};
  Time every = epochs(1);
  static const Schema<RepeatOptions>& schema();
};

[[nodiscard]] Choice<Schedule> repeat(RepeatOptions options = {});

}  // namespace hearth::schedules
