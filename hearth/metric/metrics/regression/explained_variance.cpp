// The share of the variance of the true numbers that the predictions explain, whatever the mean
// error is.
#include "hearth/metric/metrics/regression/explained_variance.h"

#include "hearth/config/registry.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

struct ExplainedVariance {
  using Options = NumberMetricOptions;
  static constexpr const char* kName = "explained_variance";
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
      const long double bias = found.prediction_mean - found.target_mean;
      const long double squares = found.error_squares - bias * bias * found.weight;
      return static_cast<double>(1 - squares / found.target_squares);
    });
  }
};

}  // namespace

Choice<Metric> explained_variance(const NumberMetricOptions& options) {
  return choose<Metric>("explained_variance", options);
}

void register_explained_variance(Registry<Metric>& metrics) {
  metrics.add<SumMetric<ExplainedVariance>>("explained_variance",
                                            "One minus the variance of errors by that of true "
                                            "numbers; the mean over the numbers of a sample.");
}

}  // namespace hearth::metrics
