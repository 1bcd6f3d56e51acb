// The mean of minus the logarithm of the probability of the right class.
#include "hearth/metric/metrics/classification/log_loss.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

struct LogLoss {
  using Options = ClassShareOptions;
  static constexpr const char* kName = "log_loss";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
  static Terms terms(const Options& options, const Known& known, const MetricBatch& batch) {
    return log_loss_terms(known, options.scores, batch);
  }
  static std::optional<std::vector<double>> quick(const Options& options, const Known& known,
                                                  const MetricBatch& batch) {
    return quick_log_loss(known, options.scores, batch);
  }
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
