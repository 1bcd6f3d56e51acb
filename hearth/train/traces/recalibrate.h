// Measures a model's statistics of batch norms anew before it is evaluated.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct RecalibrateOptions {
  std::string model = "net";
  int64_t batches = 0;
  static const Schema<RecalibrateOptions>& schema();
};

Choice<Trace> recalibrate(RecalibrateOptions options = {});

}  // namespace hearth::traces
