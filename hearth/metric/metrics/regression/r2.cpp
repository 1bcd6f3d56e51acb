// The share of the variance of the true numbers that the predictions explain, errors of the mean
// included.
#include "hearth/metric/metrics/regression/r2.h"

#include "hearth/config/registry.h"
#include "hearth/metric/moment_metric.h"

namespace hearth::metrics {
namespace {

struct R2 {
  static constexpr const char* kName = "r2";
  static long double of(const Moments& found) {
    return 1 - found.error_squares / found.target_squares;
  }
};

}  // namespace

Choice<Metric> r2(const NumberMetricOptions& options) { return choose<Metric>("r2", options); }

void register_r2(Registry<Metric>& metrics) {
  metrics.add<MomentMetric<R2>>(
      "r2",
      "R2, one minus the squares of errors by those of deviations from the "
      "mean; the mean over the numbers of a sample.");
}

}  // namespace hearth::metrics
