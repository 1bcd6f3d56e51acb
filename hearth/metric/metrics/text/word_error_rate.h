// Edits that make the predicted words the true ones, by how many true ones there are.
#pragma once

#include "hearth/metric/token_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> word_error_rate(const TokenMetricOptions& options = {});

}  // namespace hearth::metrics
