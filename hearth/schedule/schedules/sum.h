// Schedules and numbers, added.
#pragma once

#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct SumOptions {
  std::vector<Scheduled> of = {};
  static const Schema<SumOptions>& schema();
};

[[nodiscard]] Choice<Schedule> sum(SumOptions options = {});

}  // namespace hearth::schedules
