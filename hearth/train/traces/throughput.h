// Says how fast the training is, every so often: steps and samples a second, shares of waiting.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct ThroughputOptions {
  Time interval = steps(100);
  static const Schema<ThroughputOptions>& schema();
};

[[nodiscard]] Choice<Trace> throughput(ThroughputOptions options = {});

}  // namespace hearth::traces
