// The mean of the squared differences of probabilities from what is right.
#include "hearth/metric/metrics/classification/brier.h"

#include <ATen/TensorOperators.h>

#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

struct Brier {
  using Options = ClassShareOptions;
  static constexpr const char* kName = "brier";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
  static Terms terms(const Options& options, const Known& known, const MetricBatch& batch) {
    const ClassShares given = class_shares(known, options.scores, batch);
    const at::Tensor squares = (given.shares - shares_due(known, given)).square();
    return {{known.is_yes_or_no ? squares : squares.sum(1)}, given.counted};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

Choice<Metric> brier(const ClassShareOptions& options) { return choose<Metric>("brier", options); }

void register_brier(Registry<Metric>& metrics) {
  metrics.add<SumMetric<Brier>>("brier",
                                "Brier score: mean squared difference of the probabilities from 1 "
                                "for the right class, 0 for others.");
}

}  // namespace hearth::metrics
