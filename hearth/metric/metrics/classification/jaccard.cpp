// Of the samples that are of a class or taken for it, the share that is both.
#include "hearth/metric/metrics/classification/jaccard.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct Jaccard {
  using Options = AveragedClassOptions;
  static constexpr const char* kName = "jaccard";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options&, const ClassTally& tally) {
    return {tally.right, tally.due + tally.given - tally.right};
  }
};

}  // namespace

Choice<Metric> jaccard(const AveragedClassOptions& options) {
  return choose<Metric>("jaccard", options);
}

void register_jaccard(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<Jaccard>>(
      "jaccard",
      "Jaccard index, right answers by those due or given, over all classes and of each.");
}

}  // namespace hearth::metrics
