// The area under the curve of true by false alarms: how often a sample of a class scores higher
// than another.
#include "hearth/metric/metrics/classification/roc_auc.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"
#include "hearth/metric/class_ranks.h"

namespace hearth::metrics {
namespace {

struct RocAuc {
  using Options = ClassRankOptions;
  static constexpr const char* kName = "roc_auc";
  static constexpr bool kIsBetterWhenHigher = true;
  static double number(const RankedScores& ranked) {
    double above = 0;  // samples of the class with higher scores
    double others = 0;
    double area = 0;
    for (const TiedScores& tied : ranked) {
      area += tied.others * (above + tied.of_class / 2);
      above += tied.of_class;
      others += tied.others;
    }
    return share_of(area, above * others);
  }
};

}  // namespace

Choice<Metric> roc_auc(const ClassRankOptions& options) {
  return choose<Metric>("roc_auc", options);
}

void register_roc_auc(Registry<Metric>& metrics) {
  metrics.add<ClassRankMetric<RocAuc>>("roc_auc",
                                       "Area under the ROC curve, of each class against the others "
                                       "and their averages. Keeps all scores.");
}

}  // namespace hearth::metrics
