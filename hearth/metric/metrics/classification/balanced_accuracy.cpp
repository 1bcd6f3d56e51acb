// The mean over the classes of the share of their samples that was found.
#include "hearth/metric/metrics/classification/balanced_accuracy.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct BalancedAccuracy {
  using Options = ClassMetricOptions;
  static constexpr const char* kName = "balanced_accuracy";
  static constexpr bool kIsBetterWhenHigher = true;
  static Measured value(const Options&, const std::vector<ClassTally>& classes,
                        const std::vector<std::string>&) {
    double sum = 0;
    double with_samples = 0;
    for (const ClassTally& one : classes) {
      if (one.due == 0) continue;
      sum += one.right / one.due;
      ++with_samples;
    }
    return share_of(sum, with_samples);
  }
};

}  // namespace

Choice<Metric> balanced_accuracy(const ClassMetricOptions& options) {
  return choose<Metric>("balanced_accuracy", options);
}

void register_balanced_accuracy(Registry<Metric>& metrics) {
  metrics.add<ClassMetric<BalancedAccuracy>>(
      "balanced_accuracy", "Mean of the recalls of all classes that have samples.");
}

}  // namespace hearth::metrics
