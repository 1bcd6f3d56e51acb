// The mean of the squared differences of probabilities from what is right.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> brier(const ClassShareOptions& options = {});

}  // namespace hearth::metrics
