// Writes where the time of some steps went, as a trace that Chrome and Perfetto show.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct TimelineOptions {
  int64_t first = 10;
  int64_t steps = 100;
  std::string out = "timeline";
  static const Schema<TimelineOptions>& schema();
};

[[nodiscard]] Choice<Trace> timeline(TimelineOptions options = {});

}  // namespace hearth::traces
