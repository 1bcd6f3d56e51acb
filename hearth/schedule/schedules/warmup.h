// A rise in front of any schedule.
#pragma once

#include <optional>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct WarmupOptions {
  Scheduled of = 0.001;
  Time length = epochs(1);
  std::optional<double> start = {};
  static const Schema<WarmupOptions>& schema();
};

[[nodiscard]] Choice<Schedule> warmup(WarmupOptions options = {});

}  // namespace hearth::schedules
