// The mean of the squares of predicted minus true numbers, and its root.
#include "hearth/metric/metrics/regression/mean_squared_error.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

struct MeanSquaredError {
  using Options = MeanSquaredErrorOptions;
  static constexpr const char* kName = "mean_squared_error";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
  static std::vector<std::string> numbers(const Options&) { return {"root"}; }
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_number_pairs(keys);
  }
  static Terms terms(const Options&, const Known&, const MetricBatch& batch) {
    return {{errors_of(batch).square()}};
  }
  static std::optional<std::vector<double>> quick(const Options&, const Known&,
                                                  const MetricBatch& batch) {
    return quick_errors(batch, [](double error) { return error * error; });
  }
  static Measured value(const Options&, const Sums& sums) {
    Measured measured = sums.mean(0);
    // Of the target's own unit.
    measured.numbers = {{"root", std::sqrt(*measured.headline)}};
    return measured;
  }
};

}  // namespace

const Schema<MeanSquaredErrorOptions>& MeanSquaredErrorOptions::schema() {
  static const auto fields = measured_by_weight(number_pairs_schema<MeanSquaredErrorOptions>());
  return fields;
}

Choice<Metric> mean_squared_error(MeanSquaredErrorOptions options) {
  return choose<Metric>("mean_squared_error", options);
}

void register_mean_squared_error(Registry<Metric>& metrics) {
  metrics.add<SumMetric<MeanSquaredError>>(
      "mean_squared_error",
      "The mean of the squares of predicted minus true numbers, and its root.");
}

}  // namespace hearth::metrics
