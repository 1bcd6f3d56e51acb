// Spearman's correlation: how much predicted and true numbers have the same order.
#pragma once

#include "hearth/metric/number_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> spearman(const NumberMetricOptions& options = {});

}  // namespace hearth::metrics
