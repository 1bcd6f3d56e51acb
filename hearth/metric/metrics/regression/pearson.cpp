// Pearson's correlation of predicted and true numbers.
#include "hearth/metric/metrics/regression/pearson.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/moment_metric.h"

namespace hearth::metrics {
namespace {

struct Pearson {
  static constexpr const char* kName = "pearson";
  static long double of(const Moments& found) {
    return found.products / std::sqrt(found.prediction_squares) / std::sqrt(found.target_squares);
  }
};

}  // namespace

Choice<Metric> pearson(const NumberMetricOptions& options) {
  return choose<Metric>("pearson", options);
}

void register_pearson(Registry<Metric>& metrics) {
  metrics.add<MomentMetric<Pearson>>(
      "pearson",
      "Pearson's correlation of predicted and true numbers; the mean "
      "over the numbers of a sample.");
}

}  // namespace hearth::metrics
