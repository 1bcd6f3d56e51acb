// The mean of errors as shares of the true numbers.
#include "hearth/metric/metrics/regression/mean_absolute_percentage_error.h"

#include <ATen/TensorOperators.h>

#include <limits>

#include "hearth/config/registry.h"
#include "hearth/metric/number_pairs.h"

namespace hearth::metrics {
namespace {

struct MeanAbsolutePercentageError {
  using Options = NumberMetricOptions;
  static constexpr const char* kName = "mean_absolute_percentage_error";
  static constexpr bool kIsBetterWhenHigher = false;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_number_pairs(keys);
  }
  static Terms terms(const Options&, const Known&, const MetricBatch& batch) {
    const at::Tensor target = number_pairs(batch).target.abs();
    return {{errors_of(batch).abs() / target.clamp_min(std::numeric_limits<double>::epsilon())}};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

Choice<Metric> mean_absolute_percentage_error(const NumberMetricOptions& options) {
  return choose<Metric>("mean_absolute_percentage_error", options);
}

void register_mean_absolute_percentage_error(Registry<Metric>& metrics) {
  metrics.add<SumMetric<MeanAbsolutePercentageError>>(
      "mean_absolute_percentage_error",
      "The mean of the errors by the true numbers, as a share; true numbers of 0 count as the "
      "smallest a double tells from 1.");
}

}  // namespace hearth::metrics
