// Up and down between two values, again and again.
#pragma once

#include <optional>
#include <string>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct CyclicOptions {
  double low = 0.001;
  double high = 0.01;
  Time up = steps(2000);
  std::optional<Time> down = {};
  std::string shape = "triangular";
  double factor = 1;
  static const Schema<CyclicOptions>& schema();
};

[[nodiscard]] Choice<Schedule> cyclic(CyclicOptions options = {});

}  // namespace hearth::schedules
