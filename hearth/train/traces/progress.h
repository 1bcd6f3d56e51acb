// Tells how far training is: steps, rate, time left, metrics.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct ProgressOptions {
  double seconds = 0.5;
  std::vector<std::string> metrics = {};
  static const Schema<ProgressOptions>& schema();
};

Choice<Trace> progress(ProgressOptions options = {});

}  // namespace hearth::traces
