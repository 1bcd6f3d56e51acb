// Of the samples of a class, the share that was found.
#include "hearth/metric/metrics/classification/recall.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct Recall {
  using Options = AveragedClassOptions;
  static constexpr const char* kName = "recall";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options&, const ClassTally& tally) {
    return {tally.right, tally.due};
  }
};

}  // namespace

Choice<Metric> recall(const AveragedClassOptions& options) {
  return choose<Metric>("recall", options);
}

void register_recall(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<Recall>>(
      "recall", "Share of the samples of a class that are found, over all classes and of each.");
}

}  // namespace hearth::metrics
