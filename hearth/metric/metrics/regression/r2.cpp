// The share of the variance of the true numbers that the predictions explain, errors of the mean
// included.
#include "hearth/metric/metrics/regression/r2.h"

#include "hearth/config/registry.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

struct R2 {
  using Options = NumberMetricOptions;
  static constexpr const char* kName = "r2";
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
      return static_cast<double>(1 - found.error_squares / found.target_squares);
    });
  }
};

}  // namespace

Choice<Metric> r2(const NumberMetricOptions& options) { return choose<Metric>("r2", options); }

void register_r2(Registry<Metric>& metrics) {
  metrics.add<SumMetric<R2>>("r2",
                             "R2, one minus the squares of errors by those of deviations from the "
                             "mean; the mean over the numbers of a sample.");
}

}  // namespace hearth::metrics
