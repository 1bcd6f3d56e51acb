// Intersection over union of the areas of each class, for segmentation.
#include "hearth/metric/metrics/segmentation/iou.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct Iou {
  using Options = AveragedClassOptions;
  static constexpr const char* kName = "iou";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options&, const ClassTally& tally) {
    return {tally.right, tally.due + tally.given - tally.right};
  }
};

}  // namespace

Choice<Metric> iou(const AveragedClassOptions& options) { return choose<Metric>("iou", options); }

void register_iou(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<Iou>>("iou",
                                        "Intersection over union of the places of a class and "
                                        "those taken for it, over all and of each.");
}

}  // namespace hearth::metrics
