// Pearson's correlation of predicted and true numbers.
#include "hearth/metric/metrics/regression/pearson.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

struct Pearson {
  using Options = NumberMetricOptions;
  static constexpr const char* kName = "pearson";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static constexpr bool kHasColumns = true;
  static constexpr size_t kTerms = kMomentTerms;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_number_columns(keys);
  }
  static Terms terms(const Options&, const Known&, const MetricBatch& batch) {
    return moment_terms(batch);
  }
  static Measured value(const Options&, const Sums& sums) {
    return mean_of_columns(sums, kName, [&](size_t column) {
      const Moments found = moments(sums, column);
      return static_cast<double>(found.products / std::sqrt(found.prediction_squares) /
                                 std::sqrt(found.target_squares));
    });
  }
};

}  // namespace

Choice<Metric> pearson(const NumberMetricOptions& options) {
  return choose<Metric>("pearson", options);
}

void register_pearson(Registry<Metric>& metrics) {
  metrics.add<SumMetric<Pearson>>("pearson",
                                  "Pearson's correlation of predicted and true numbers; the mean "
                                  "over the numbers of a sample.");
}

}  // namespace hearth::metrics
