// How many samples each cluster has of each label. For people who write a metric of clusters.
#pragma once

#include <map>
#include <utility>

#include "hearth/metric/cluster_options.h"
#include "hearth/metric/gather_metric.h"

namespace hearth {

struct Contingency {
  std::map<std::pair<int64_t, int64_t>, double> both;  // by cluster and label
  std::map<int64_t, double> clusters;
  std::map<int64_t, double> labels;
  double all = 0;
};
[[nodiscard]] Contingency contingency(const Samples& samples);

// GraphError unless there is a cluster for each label, or scores of clusters.
[[nodiscard]] Known check_clusters(std::span<const KeySpec> keys);
[[nodiscard]] Rows cluster_rows(const MetricBatch& batch);

}  // namespace hearth
