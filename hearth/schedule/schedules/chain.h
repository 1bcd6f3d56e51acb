// Schedules one after another.
#pragma once

#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct ChainOptions {
  std::vector<Scheduled> of = {};
  std::vector<Time> at = {};
  static const Schema<ChainOptions>& schema();
};

[[nodiscard]] Choice<Schedule> chain(ChainOptions options = {});

}  // namespace hearth::schedules
