// The Rand index of clusters and labels, adjusted for chance.
#pragma once

#include "hearth/metric/cluster_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> ari(const ClusterMetricOptions& options = {});

}  // namespace hearth::metrics
