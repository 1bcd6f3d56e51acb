// The mean of minus the logarithm of the probability of the right class.
#pragma once

#include "hearth/metric/class_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> log_loss(const ClassShareOptions& options = {});

}  // namespace hearth::metrics
