// How far predicted numbers are from the true ones, in the mean over all of them.
#include "hearth/metric/metrics/regression/mean_absolute_error.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

struct MeanAbsoluteError {
  using Options = MeanAbsoluteErrorOptions;
  static constexpr const char* kName = "mean_absolute_error";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_number_pairs(keys);
  }
  static Terms terms(const Options&, const Known&, const MetricBatch& batch) {
    return {{errors_of(batch).abs()}};
  }
  static std::optional<std::vector<double>> quick(const Options&, const Known&,
                                                  const MetricBatch& batch) {
    return quick_errors(batch, [](double error) { return std::abs(error); });
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

const Schema<MeanAbsoluteErrorOptions>& MeanAbsoluteErrorOptions::schema() {
  static const auto fields = measured_by_weight(number_pairs_schema<MeanAbsoluteErrorOptions>());
  return fields;
}

Choice<Metric> mean_absolute_error(MeanAbsoluteErrorOptions options) {
  return choose<Metric>("mean_absolute_error", options);
}

void register_mean_absolute_error(Registry<Metric>& metrics) {
  metrics.add<SumMetric<MeanAbsoluteError>>(
      "mean_absolute_error", "How far predicted numbers are from the true ones, in the mean.");
}

}  // namespace hearth::metrics
