// The share of the variance of the true numbers that the predictions explain, errors of the mean
// included.
#pragma once

#include "hearth/metric/number_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> r2(const NumberMetricOptions& options = {});

}  // namespace hearth::metrics
