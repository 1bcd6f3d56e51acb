// Normalised mutual information of clusters and labels.
#include "hearth/metric/metrics/clustering/nmi.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/contingency.h"

namespace hearth::metrics {
namespace {

struct Nmi {
  static constexpr const char* kName = "nmi";
  static double of(const Contingency& table) {
    const auto entropy = [&](const std::map<int64_t, double>& groups) {
      double sum = 0;
      for (const auto& [group, weight] : groups)
        if (weight > 0) sum -= weight / table.all * std::log(weight / table.all);
      return sum;
    };
    double mutual = 0;
    for (const auto& [pair, weight] : table.both)
      if (weight > 0)
        mutual += weight / table.all *
                  std::log(weight * table.all /
                           (table.clusters.at(pair.first) * table.labels.at(pair.second)));
    const double mean = (entropy(table.clusters) + entropy(table.labels)) / 2;
    return mean == 0 ? 1 : std::max(mutual / mean, 0.0);
  }
};

}  // namespace

Choice<Metric> nmi(const ClusterMetricOptions& options) { return choose<Metric>("nmi", options); }

void register_nmi(Registry<Metric>& metrics) {
  metrics.add<ContingencyMetric<Nmi>>(
      "nmi",
      "Mutual information of clusters and labels, by the mean of their "
      "entropies; 1 where both are one group.");
}

}  // namespace hearth::metrics
