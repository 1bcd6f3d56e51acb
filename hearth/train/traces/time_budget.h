// Ends the training in time.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::traces {

struct TimeBudgetOptions {
  double minutes = 60;
  bool whole_epochs = true;
  bool each_process = false;
  static const Schema<TimeBudgetOptions>& schema();
};

[[nodiscard]] Choice<Trace> time_budget(TimeBudgetOptions options = {});

}  // namespace hearth::traces
