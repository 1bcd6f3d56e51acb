// Normalised discounted cumulative gain: how much of what is relevant scores high.
#pragma once

#include "hearth/metric/ranking_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> ndcg(const RankingOptions& options = {});

}  // namespace hearth::metrics
