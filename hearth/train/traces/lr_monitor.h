// Writes learning rates into the run log, those of groups of parameters too.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct LrMonitorOptions {
  Time interval = steps(10);
  static const Schema<LrMonitorOptions>& schema();
};

[[nodiscard]] Choice<Trace> lr_monitor(LrMonitorOptions options = {});

}  // namespace hearth::traces
