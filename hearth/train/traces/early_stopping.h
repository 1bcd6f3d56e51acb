// Stops training when a metric no longer improves.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct EarlyStoppingOptions {
  std::string monitor = "eval/loss";
  int64_t patience = 3;
  double min_change = 0;
  static const Schema<EarlyStoppingOptions>& schema();
};

Choice<Trace> early_stopping(EarlyStoppingOptions options = {});

}  // namespace hearth::traces
