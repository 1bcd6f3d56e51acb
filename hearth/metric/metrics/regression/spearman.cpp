// Spearman's correlation: how much predicted and true numbers have the same order.
#include "hearth/metric/metrics/regression/spearman.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/gather_metric.h"
#include "hearth/metric/number_pairs.h"
#include "hearth/metric/weighed_ranks.h"

namespace hearth::metrics {
namespace {

struct Spearman {
  using Options = NumberMetricOptions;
  static constexpr const char* kName = "spearman";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_number_pairs(keys);
  }
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    return {{batch[0].flatten(), batch[1].flatten()}, batch[0]};
  }
  static Measured value(const Options&, const Samples& samples) {
    const std::vector<double> left = weighed_ranks(samples[0].to(at::kDouble), samples.weights);
    const std::vector<double> right = weighed_ranks(samples[1].to(at::kDouble), samples.weights);
    return weighed_correlation(left, right, samples.weights);
  }
};

}  // namespace

Choice<Metric> spearman(const NumberMetricOptions& options) {
  return choose<Metric>("spearman", options);
}

void register_spearman(Registry<Metric>& metrics) {
  metrics.add<GatherMetric<Spearman>>(
      "spearman",
      "Spearman's correlation of the ranks of predicted and true numbers. Keeps all numbers.");
}

}  // namespace hearth::metrics
