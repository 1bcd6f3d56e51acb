// The root of the mean of the squares of predicted minus true numbers.
#include "hearth/metric/metrics/regression/root_mean_squared_error.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

struct RootMeanSquaredError {
  using Options = NumberMetricOptions;
  static constexpr const char* kName = "root_mean_squared_error";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
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
  static Measured value(const Options&, const Sums& sums) { return std::sqrt(sums.mean(0)); }
};

}  // namespace

Choice<Metric> root_mean_squared_error(const NumberMetricOptions& options) {
  return choose<Metric>("root_mean_squared_error", options);
}

void register_root_mean_squared_error(Registry<Metric>& metrics) {
  metrics.add<SumMetric<RootMeanSquaredError>>(
      "root_mean_squared_error",
      "The root of the mean of the squares of predicted minus true numbers.");
}

}  // namespace hearth::metrics
