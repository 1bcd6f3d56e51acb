// The share of the variance of the true numbers that the predictions explain, whatever the mean
// error is.
#pragma once

#include "hearth/metric/number_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> explained_variance(const NumberMetricOptions& options = {});

}  // namespace hearth::metrics
