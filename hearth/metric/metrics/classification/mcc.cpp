// Matthews correlation coefficient of labels and answers, for any number of classes.
#include "hearth/metric/metrics/classification/mcc.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/class_metric.h"

namespace hearth::metrics {
namespace {

struct Mcc {
  using Options = ClassMetricOptions;
  static constexpr const char* kName = "mcc";
  static constexpr bool kIsBetterWhenHigher = true;
  static Measured value(const Options&, const std::vector<ClassTally>& classes,
                        const std::vector<std::string>&) {
    ClassTally all;
    double both = 0;
    double due_squares = 0;
    double given_squares = 0;
    for (const ClassTally& one : classes) {
      all.all = one.all;
      all.right += one.right;
      both += one.due * one.given;
      due_squares += one.due * one.due;
      given_squares += one.given * one.given;
    }
    if (all.all == 0) return share_of(0, 0);
    const double total = all.all * all.all;
    const double below = std::sqrt(total - due_squares) * std::sqrt(total - given_squares);
    return below == 0 ? 0 : (all.right * all.all - both) / below;
  }
};

}  // namespace

Choice<Metric> mcc(const ClassMetricOptions& options) { return choose<Metric>("mcc", options); }

void register_mcc(Registry<Metric>& metrics) {
  metrics.add<ClassMetric<Mcc>>(
      "mcc",
      "Matthews correlation coefficient of labels and answers; 0 where either never changes.");
}

}  // namespace hearth::metrics
