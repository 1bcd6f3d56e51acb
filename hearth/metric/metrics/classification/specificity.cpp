// Of the samples of other classes, the share that was not taken for this one.
#include "hearth/metric/metrics/classification/specificity.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct Specificity {
  using Options = AveragedClassOptions;
  static constexpr const char* kName = "specificity";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options&, const ClassTally& tally) {
    return {tally.all - tally.due - tally.given + tally.right, tally.all - tally.due};
  }
};

}  // namespace

Choice<Metric> specificity(const AveragedClassOptions& options) {
  return choose<Metric>("specificity", options);
}

void register_specificity(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<Specificity>>("specificity",
                                                "Share of the samples of other classes that are "
                                                "not taken for a class, over all and of each.");
}

}  // namespace hearth::metrics
