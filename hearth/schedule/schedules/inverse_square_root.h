// Up in a line, down as one over the root of the step.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct InverseSquareRootOptions {
  double peak = 0.001;
  Time warmup = steps(4000);
  static const Schema<InverseSquareRootOptions>& schema();
};

[[nodiscard]] Choice<Schedule> inverse_square_root(InverseSquareRootOptions options = {});

}  // namespace hearth::schedules
