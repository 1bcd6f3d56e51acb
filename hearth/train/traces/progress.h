// Tells how far training is: steps, rate, time left, metrics.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::traces {

struct ProgressOptions {
  double seconds = 0.5;
  static const Schema<ProgressOptions>& schema();
};

Choice<Trace> progress(ProgressOptions options = {});

}  // namespace hearth::traces
