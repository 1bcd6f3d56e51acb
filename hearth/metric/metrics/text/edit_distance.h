// How many edits make a predicted text the true one.
#pragma once

#include "hearth/metric/token_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> edit_distance(const TokenMetricOptions& options = {});

}  // namespace hearth::metrics
