// The mean of errors as shares of the true numbers.
#pragma once

#include "hearth/metric/number_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> mean_absolute_percentage_error(
    const NumberMetricOptions& options = {});

}  // namespace hearth::metrics
