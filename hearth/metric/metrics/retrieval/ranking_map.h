// Mean average precision: of what scores as high as each relevant one, the share that is relevant.
#pragma once

#include "hearth/metric/ranking_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> ranking_map(const RankingOptions& options = {});

}  // namespace hearth::metrics
