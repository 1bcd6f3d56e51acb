// Writes what weights are like into the run log, and how far a step moves them.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct WeightWatchOptions {
  Time interval = steps(100);
  std::string by = "layer";
  bool updates = true;
  int64_t bins = 0;
  static const Schema<WeightWatchOptions>& schema();
};

[[nodiscard]] Choice<Trace> weight_watch(WeightWatchOptions options = {});

}  // namespace hearth::traces
