// Normalised mutual information of clusters and labels.
#pragma once

#include "hearth/metric/cluster_options.h"

namespace hearth::metrics {

[[nodiscard]] Choice<Metric> nmi(const ClusterMetricOptions& options = {});

}  // namespace hearth::metrics
