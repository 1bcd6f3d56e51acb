// Of the answers that name a class, the share that is right.
#include "hearth/metric/metrics/classification/precision.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct Precision {
  using Options = AveragedClassOptions;
  static constexpr const char* kName = "precision";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options&, const ClassTally& tally) {
    return {tally.right, tally.given};
  }
};

}  // namespace

Choice<Metric> precision(const AveragedClassOptions& options) {
  return choose<Metric>("precision", options);
}

void register_precision(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<Precision>>(
      "precision", "Share of the answers of a class that are right, over all classes and of each.");
}

}  // namespace hearth::metrics
