// The root of the mean of the squares of predicted minus true numbers.
#pragma once

#include "hearth/metric/number_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> root_mean_squared_error(const NumberMetricOptions& options = {});

}  // namespace hearth::metrics
