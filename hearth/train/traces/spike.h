// Lets batches whose loss leaps up change nothing.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct SpikeOptions {
  std::string in = "loss";
  std::string action = "skip";
  int64_t window = 50;
  double deviations = 6;
  double least = 0;
  static const Schema<SpikeOptions>& schema();
};

Choice<Trace> spike(SpikeOptions options = {});

}  // namespace hearth::traces
