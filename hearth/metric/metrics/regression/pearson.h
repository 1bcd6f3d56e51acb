// Pearson's correlation of predicted and true numbers.
#pragma once

#include "hearth/metric/number_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> pearson(const NumberMetricOptions& options = {});

}  // namespace hearth::metrics
