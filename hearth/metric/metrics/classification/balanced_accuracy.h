// The mean over the classes of the share of their samples that was found.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> balanced_accuracy(const ClassMetricOptions& options = {});

}  // namespace hearth::metrics
