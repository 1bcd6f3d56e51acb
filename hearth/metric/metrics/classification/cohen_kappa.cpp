// Cohen's kappa: one minus the disagreement of labels and answers by that of independent ones.
#include "hearth/metric/metrics/classification/cohen_kappa.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/class_matrix.h"

namespace hearth::metrics {
namespace {

double disagreement(const std::string& distance, int64_t label, int64_t predicted) {
  const auto apart = static_cast<double>(std::abs(label - predicted));
  if (distance == "none") return apart > 0 ? 1 : 0;
  return distance == "linear" ? apart : apart * apart;
}

struct CohenKappa {
  using Options = CohenKappaOptions;
  static constexpr const char* kName = "cohen_kappa";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static constexpr bool kHasHeadline = true;
  static Measured value(const Options& options, const ClassMatrix& matrix,
                        const std::vector<std::string>&) {
    const auto classes = static_cast<size_t>(matrix.classes);
    std::vector<double> due(classes);
    std::vector<double> given(classes);
    double all = 0;
    const auto for_each = [&](const auto& visit) {
      for (int64_t i = 0; i < matrix.classes; ++i)
        for (int64_t k = 0; k < matrix.classes; ++k) visit(i, k);
    };
    for_each([&](int64_t i, int64_t k) {
      due[static_cast<size_t>(i)] += matrix.at(i, k);
      given[static_cast<size_t>(k)] += matrix.at(i, k);
      all += matrix.at(i, k);
    });
    double found = 0;
    double by_chance = 0;
    for_each([&](int64_t i, int64_t k) {
      const double apart = disagreement(options.distance, i, k);
      found += apart * matrix.at(i, k);
      by_chance += apart * due[static_cast<size_t>(i)] * given[static_cast<size_t>(k)];
    });
    return 1 - share_of(found * all, by_chance);
  }
};

}  // namespace

const Schema<CohenKappaOptions>& CohenKappaOptions::schema() {
  using O = CohenKappaOptions;
  static const auto fields = measured_by_weight(thresholded_answers_schema<O>().field(
      &O::distance, "distance",
      "How much a wrong answer counts: `none`, all the same; `linear` or `quadratic`, by how far "
      "apart the class numbers are, for classes with an order.",
      one_of({"none", "linear", "quadratic"})));
  return fields;
}

Choice<Metric> cohen_kappa(const CohenKappaOptions& options) {
  return choose<Metric>("cohen_kappa", options);
}

void register_cohen_kappa(Registry<Metric>& metrics) {
  metrics.add<ClassMatrixMetric<CohenKappa>>(
      "cohen_kappa", "Cohen's kappa: how much labels and answers agree beyond chance.");
}

}  // namespace hearth::metrics
