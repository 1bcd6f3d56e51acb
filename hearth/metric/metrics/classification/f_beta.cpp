// The F score: precision and recall in one number, with recall as `beta` times as important.
#include "hearth/metric/metrics/classification/f_beta.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct FBeta {
  using Options = FBetaOptions;
  static constexpr const char* kName = "f_beta";
  static constexpr bool kIsBetterWhenHigher = true;
  static std::pair<double, double> share(const Options& options, const ClassTally& tally) {
    const double square = options.beta * options.beta;
    return {(1 + square) * tally.right, square * tally.due + tally.given};
  }
  static std::vector<ClassScore> further_scores() { return precision_and_recall(); }
};

}  // namespace

const Schema<FBetaOptions>& FBetaOptions::schema() {
  using O = FBetaOptions;
  static const auto fields = measured_by_weight(
      thresholded_answers_schema<O>()
          .field(&O::beta, "beta", "How much more recall counts than precision.", above(0),
                 at_most(1000))
          .field(&O::average, "average", kAverageHelp, one_of({"macro", "micro", "weighted"})));
  return fields;
}

Choice<Metric> f_beta(const FBetaOptions& options) { return choose<Metric>("f_beta", options); }

void register_f_beta(Registry<Metric>& metrics) {
  metrics.add<AveragedClassMetric<FBeta>>(
      "f_beta",
      "F score with recall as beta times as important as precision, of all and each class.");
}

}  // namespace hearth::metrics
