// Average precision: the precision at each score, by how much recall it brings.
#include "hearth/metric/metrics/classification/pr_auc.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"
#include "hearth/metric/class_ranks.h"

namespace hearth::metrics {
namespace {

struct PrAuc {
  using Options = ClassRankOptions;
  static constexpr const char* kName = "pr_auc";
  static constexpr bool kIsBetterWhenHigher = true;
  static double number(const RankedScores& ranked) {
    double of_class = 0;
    double given = 0;
    double area = 0;
    for (const TiedScores& tied : ranked) {
      of_class += tied.of_class;
      given += tied.of_class + tied.others;
      area += tied.of_class * share_of(of_class, given);
    }
    return share_of(area, of_class);
  }
};

}  // namespace

Choice<Metric> pr_auc(const ClassRankOptions& options) { return choose<Metric>("pr_auc", options); }

void register_pr_auc(Registry<Metric>& metrics) {
  metrics.add<ClassRankMetric<PrAuc>>(
      "pr_auc",
      "Area under the precision-recall curve, as average precision, of each class and their "
      "averages. Keeps all scores.");
}

}  // namespace hearth::metrics
