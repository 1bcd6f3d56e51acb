// How many samples each cluster has of each label. For people who write a metric of clusters.
#pragma once

#include <limits>
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

// Metrics that are functions of these counts. `Formula` has `kName` and `static double of(const
// Contingency&)`; it is not asked when nothing counts.
template <class Formula>
struct OfContingency : Formula {
  using Options = metrics::ClusterMetricOptions;
  static constexpr bool kIsBetterWhenHigher = true;
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_clusters(keys); }
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    return cluster_rows(batch);
  }
  static Measured value(const Options&, const Samples& samples) {
    const Contingency table = contingency(samples);
    return table.all == 0 ? std::numeric_limits<double>::quiet_NaN() : Formula::of(table);
  }
};
template <class Formula>
using ContingencyMetric = GatherMetric<OfContingency<Formula>>;

}  // namespace hearth
