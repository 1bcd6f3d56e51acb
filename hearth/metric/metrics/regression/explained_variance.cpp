// The share of the variance of the true numbers that the predictions explain, whatever the mean
// error is.
#include "hearth/metric/metrics/regression/explained_variance.h"

#include "hearth/config/registry.h"
#include "hearth/metric/moment_metric.h"

namespace hearth::metrics {
namespace {

struct ExplainedVariance {
  static constexpr const char* kName = "explained_variance";
  static long double of(const Moments& found) {
    const long double bias = found.prediction_mean - found.target_mean;
    const long double squares = found.error_squares - bias * bias * found.weight;
    return 1 - squares / found.target_squares;
  }
};

}  // namespace

Choice<Metric> explained_variance(const NumberMetricOptions& options) {
  return choose<Metric>("explained_variance", options);
}

void register_explained_variance(Registry<Metric>& metrics) {
  metrics.add<MomentMetric<ExplainedVariance>>("explained_variance",
                                               "One minus the variance of errors by that of true "
                                               "numbers; the mean over the numbers of a sample.");
}

}  // namespace hearth::metrics
