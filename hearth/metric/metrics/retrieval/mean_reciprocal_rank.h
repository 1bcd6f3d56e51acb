// One by the place of the first relevant score.
#pragma once

#include "hearth/metric/ranking_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> mean_reciprocal_rank(const RankingOptions& options = {});

}  // namespace hearth::metrics
