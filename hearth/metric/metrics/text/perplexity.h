// Among how many equally likely tokens the network seems to choose.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> perplexity(const ClassShareOptions& options = {});

}  // namespace hearth::metrics
