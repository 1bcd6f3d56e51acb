// A number that halves again and again.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct OpenHalvesOptions {
  double first = 0.01;
  Time every = percent(25);
  static const Schema<OpenHalvesOptions>& schema();
};

[[nodiscard]] Choice<Schedule> open_halves(OpenHalvesOptions options = {});

}  // namespace hearth::schedules
