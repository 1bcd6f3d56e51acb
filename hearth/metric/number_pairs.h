// Predicted numbers beside the true ones, as metrics of regression read them.
#pragma once

#include <span>

#include "hearth/config/schema.h"
#include "hearth/core/spec.h"
#include "hearth/metric/sum_metric.h"

namespace hearth {

// The options of metrics that read keys this way.
template <class O>
[[nodiscard]] Schema<O> number_pairs_schema() {
  return Schema<O>()
      .field(&O::in, "in",
             "Keys of the predicted numbers and of the true ones, as many of each. Classes are no "
             "numbers: class numbers and soft labels are refused.")
      .check("in must name two keys: the predicted numbers and the true ones.",
             [](const O& options) { return options.in.size() == 2; });
}

// A prediction is float [B, ...]; a target has as many numbers of any type, [B] beside [B, 1] too.
// GraphError says which key does not fit, and how.
Known check_number_pairs(std::span<const KeySpec> prediction_and_target);
// The same for metrics that look at each number of a sample by itself, at most 1024.
Known check_number_columns(std::span<const KeySpec> prediction_and_target);
// Predictions and targets as doubles, in the shape of the predictions.
struct NumberPairs {
  at::Tensor prediction;
  at::Tensor target;
};
[[nodiscard]] NumberPairs number_pairs(const MetricBatch& batch);
// The terms of moments of both: x, y, x^2, y^2, xy of predictions x and targets y. Of floats their
// sums are exact, so that even small variances of large numbers are.
inline constexpr size_t kMomentTerms = 5;
[[nodiscard]] Terms moment_terms(const MetricBatch& batch);
// What the sums of these terms come to, of one number of a sample.
struct Moments {
  long double weight;
  long double prediction_mean;
  long double target_mean;
  long double prediction_squares;  // of deviations from the mean, added up
  long double target_squares;
  long double products;
  // Squares of errors, added up.
  long double error_squares;
};
[[nodiscard]] Moments moments(const Sums& sums, size_t column);
// The mean of a number for each column, and a table of them where there are several. A column whose
// number is undefined makes the mean undefined.
[[nodiscard]] Measured mean_of_columns(const Sums& sums, const std::string& name,
                                       const std::function<double(size_t column)>& number);
// Weight and term of every sample, for metrics of one term that is a function of the error of one
// number; nothing for other tensors than floats in order on the host.
[[nodiscard]] std::optional<std::vector<double>> quick_errors(const MetricBatch& batch,
                                                              double (*term)(double error));
// Predictions minus targets, in the shape of the predictions; as doubles, whose squares and sums
// neither overflow nor lose digits.
[[nodiscard]] at::Tensor errors_of(const MetricBatch& batch);

}  // namespace hearth
