// Down along a power of the time that is left.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct PolynomialOptions {
  double first = 0.001;
  double last = 0;
  double power = 1;
  Time length = percent(100);
  static const Schema<PolynomialOptions>& schema();
};

[[nodiscard]] Choice<Schedule> polynomial(PolynomialOptions options = {});

}  // namespace hearth::schedules
