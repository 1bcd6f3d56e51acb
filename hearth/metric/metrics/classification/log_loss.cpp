// The mean of minus the logarithm of the probability of the right class.
#include "hearth/metric/metrics/classification/log_loss.h"

#include "hearth/config/registry.h"
#include "hearth/metric/log_loss_sum.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

struct LogLoss : LogLossSum {
  static constexpr const char* kName = "log_loss";
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

Choice<Metric> log_loss(const ClassShareOptions& options) {
  return choose<Metric>("log_loss", options);
}

void register_log_loss(Registry<Metric>& metrics) {
  metrics.add<SumMetric<LogLoss>>(
      "log_loss", "Mean of minus the logarithm of the probability that the label has.");
}

}  // namespace hearth::metrics
