// Down along half a cosine, and from the peak again.
#pragma once

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct CosineRestartsOptions {
  double peak = 0.001;
  double floor = 0;
  Time first_length = epochs(10);
  double growth = 1;
  static const Schema<CosineRestartsOptions>& schema();
};

[[nodiscard]] Choice<Schedule> cosine_restarts(CosineRestartsOptions options = {});

}  // namespace hearth::schedules
