// Share of samples whose highest score is the label's, counted in whole numbers.
#include "hearth/metric/metrics/classification/accuracy.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/sum_metric.h"
#include "hearth/tensor/best_class.h"

namespace hearth::metrics {
namespace {

struct Accuracy {
  using Options = AccuracyOptions;
  static constexpr const char* kName = "accuracy";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr size_t kTerms = 1;
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
  static std::optional<std::vector<double>> quick(const Options&, const Known& known,
                                                  const MetricBatch& batch) {
    if (known.is_yes_or_no) return std::nullopt;
    const at::Tensor numbers = class_numbers(batch[1]);
    const auto right = correct_rows(batch[0], numbers);
    if (!right) return std::nullopt;
    return std::vector<double>{static_cast<double>(counted_on_host(numbers)),
                               static_cast<double>(*right)};
  }
  static Terms terms(const Options& options, const Known& known, const MetricBatch& batch) {
    if (known.is_yes_or_no) {
      const at::Tensor yes = batch[0].reshape(batch[1].sizes()).gt(options.threshold);
      return {{yes.eq(batch[1])}, is_counted(batch[1])};
    }
    const at::Tensor numbers = class_numbers(batch[1]);
    return {{batch[0].argmax(1).eq(numbers)}, is_counted(numbers)};
  }
  static Measured value(const Options&, const Sums& sums) { return sums.mean(0); }
};

}  // namespace

const Schema<AccuracyOptions>& AccuracyOptions::schema() {
  static const auto fields = measured_by_weight(thresholded_answers_schema<AccuracyOptions>());
  return fields;
}

Choice<Metric> accuracy(AccuracyOptions options) { return choose<Metric>("accuracy", options); }

void register_accuracy(Registry<Metric>& metrics) {
  metrics.add<SumMetric<Accuracy>>("accuracy",
                                   "Share of samples whose highest score is the label's.");
}

}  // namespace hearth::metrics
