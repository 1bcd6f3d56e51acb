// The Rand index of clusters and labels, adjusted for chance.
#include "hearth/metric/metrics/clustering/ari.h"

#include "hearth/config/registry.h"
#include "hearth/metric/contingency.h"

namespace hearth::metrics {
namespace {

struct Ari {
  static constexpr const char* kName = "ari";
  static double of(const Contingency& table) {
    const auto pairs = [](double weight) { return weight * (weight - 1) / 2; };
    double both = 0;
    double clusters = 0;
    double labels = 0;
    for (const auto& [pair, weight] : table.both) both += pairs(weight);
    for (const auto& [cluster, weight] : table.clusters) clusters += pairs(weight);
    for (const auto& [label, weight] : table.labels) labels += pairs(weight);
    const double all = pairs(table.all);
    const double expected = all == 0 ? 0 : clusters * labels / all;
    const double most = (clusters + labels) / 2;
    return most == expected ? 1 : (both - expected) / (most - expected);
  }
};

}  // namespace

Choice<Metric> ari(const ClusterMetricOptions& options) { return choose<Metric>("ari", options); }

void register_ari(Registry<Metric>& metrics) {
  metrics.add<ContingencyMetric<Ari>>(
      "ari",
      "Adjusted Rand index: how often pairs of samples are together in "
      "both clusters and labels, beyond chance.");
}

}  // namespace hearth::metrics
