// The F1 score: of each class, twice the right answers by those given and those due.
#include "hearth/metric/metrics/classification/f1.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct F1 {
  using Options = F1Options;
  static constexpr const char* kName = "f1";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options&, const ClassTally& tally) {
    return {2 * tally.right, tally.due + tally.given};
  }
  static std::vector<ClassScore> further_scores() { return precision_and_recall(); }
};

}  // namespace

const Schema<F1Options>& F1Options::schema() {
  using O = F1Options;
  static const auto fields = measured_by_weight(thresholded_answers_schema<O>().field(
      &O::average, "average", kAverageHelp, one_of({"macro", "micro", "weighted"})));
  return fields;
}

Choice<Metric> f1(F1Options options) { return choose<Metric>("f1", options); }

void register_f1(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<F1>>("f1",
                                       "F1 score over all classes, with a table of each one's.");
}

}  // namespace hearth::metrics
