// Dice coefficient of the areas of each class, for segmentation.
#include "hearth/metric/metrics/segmentation/dice.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct Dice {
  using Options = AveragedClassOptions;
  static constexpr const char* kName = "dice";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options&, const ClassTally& tally) {
    return {2 * tally.right, tally.due + tally.given};
  }
};

}  // namespace

Choice<Metric> dice(const AveragedClassOptions& options) { return choose<Metric>("dice", options); }

void register_dice(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<Dice>>(
      "dice",
      "Dice coefficient, twice the intersection by both areas, over all classes and of each.");
}

}  // namespace hearth::metrics
