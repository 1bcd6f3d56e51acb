// How much the score of the right class lacks to lead the others by one.
#include "hearth/metric/metrics/classification/hinge.h"

#include <ATen/TensorOperators.h>

#include <limits>

#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

// Crammer and Singer's form: only the best of the others matters.
struct Hinge {
  using Options = ClassMarginOptions;
  static constexpr const char* kName = "hinge";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
  static Terms terms(const Options&, const Known& known, const MetricBatch& batch) {
    const ClassShares given = class_shares(known, "probabilities", batch);  // as they are
    if (known.is_yes_or_no)
      return {{(1 - given.shares * (given.labels * 2 - 1)).clamp_min(0)}, given.counted};
    constexpr double kLowest = -std::numeric_limits<double>::infinity();
    const at::Tensor others = given.shares.scatter(1, given.labels.unsqueeze(1), kLowest);
    const at::Tensor lead = share_of_label(known, given) - std::get<0>(others.max(1));
    return {{(1 - lead).clamp_min(0)}, given.counted};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

Choice<Metric> hinge(const ClassMarginOptions& options) { return choose<Metric>("hinge", options); }

void register_hinge(Registry<Metric>& metrics) {
  metrics.add<SumMetric<Hinge>>(
      "hinge", "Mean of what the score of the label lacks to be higher by one than all others.");
}

}  // namespace hearth::metrics
