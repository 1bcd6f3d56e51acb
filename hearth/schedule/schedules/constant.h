// A value that stays.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct ConstantOptions {
  double value = 0;
  static const Schema<ConstantOptions>& schema();
};

[[nodiscard]] Choice<Schedule> constant(ConstantOptions options = {});

}  // namespace hearth::schedules
