// Predicted numbers beside the true ones.
#include "hearth/metric/number_pairs.h"

#include <ATen/TensorOperators.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr int64_t kMostColumns = 1024;

// Without dimensions of one number at its end.
std::vector<int64_t> shape_that_matters(std::vector<int64_t> shape) {
  while (!shape.empty() && shape.back() == 1) shape.pop_back();
  return shape;
}

}  // namespace

Known check_number_pairs(std::span<const KeySpec> prediction_and_target) {
  const KeySpec& prediction = prediction_and_target[0];
  const KeySpec& target = prediction_and_target[1];
  if (!is_floating(prediction.spec.dtype))
    throw GraphError("needs predicted numbers, float [B, ...], in " + quote(prediction.key) +
                     ", but it is " + prediction.spec.text() +
                     ". Name the key a model call writes.");
  if (target.spec.role == Role::kClass)
    throw GraphError("needs numbers in " + quote(target.key) + ", but it holds classes, " +
                     target.spec.text() + ", whose differences mean nothing. Use accuracy or f1.");
  const bool fits =
      prediction.spec.is_per_batch == target.spec.is_per_batch &&
      shape_that_matters(prediction.spec.shape) == shape_that_matters(target.spec.shape);
  if (!fits)
    throw GraphError("needs a true number for each predicted one, but " + quote(prediction.key) +
                     " is " + prediction.spec.text() + " and " + quote(target.key) + " is " +
                     target.spec.text() +
                     ". Give the last layer as many values as the target has.");
  return {.weighed = prediction.spec.shape};
}

Known check_number_columns(std::span<const KeySpec> prediction_and_target) {
  Known known = check_number_pairs(prediction_and_target);
  const Spec& spec = prediction_and_target[0].spec;
  const Spec& target = prediction_and_target[1].spec;
  if (spec.is_ragged() || spec.elements() > kMostColumns)
    throw GraphError("looks at each number of a sample by itself, at most " +
                     std::to_string(kMostColumns) + ", but " + quote(prediction_and_target[0].key) +
                     " is " + spec.text() + ". Use mean_squared_error, which adds them up.");
  known.names = target.columns;
  if (static_cast<int64_t>(known.names.size()) == spec.elements()) return known;
  known.names.clear();
  for (int64_t i = 0; i < spec.elements(); ++i) known.names.push_back(std::to_string(i));
  return known;
}

NumberPairs number_pairs(const MetricBatch& batch) {
  return {batch[0].to(at::kDouble), batch[1].to(at::kDouble).reshape(batch[0].sizes())};
}

at::Tensor errors_of(const MetricBatch& batch) {
  const auto [prediction, target] = number_pairs(batch);
  return prediction - target;
}

std::optional<std::vector<double>> quick_errors(const MetricBatch& batch,
                                                double (*term)(double error)) {
  const auto is_plain = [](const at::Tensor& numbers) {
    return numbers.is_cpu() && numbers.scalar_type() == at::kFloat && numbers.is_contiguous() &&
           numbers.numel() == numbers.size(0);
  };
  if (!is_plain(batch[0]) || !is_plain(batch[1])) return std::nullopt;
  std::vector<double> rows;
  rows.reserve(static_cast<size_t>(2 * batch[0].numel()));
  const auto* predicted = batch[0].data_ptr<float>();
  const auto* truth = batch[1].data_ptr<float>();
  for (int64_t i = 0; i < batch[0].numel(); ++i) {
    rows.push_back(1);
    rows.push_back(term(static_cast<double>(predicted[i]) - static_cast<double>(truth[i])));
  }
  return rows;
}

Terms moment_terms(const MetricBatch& batch) {
  const auto [x, y] = number_pairs(batch);
  return {{x, y, x.square(), y.square(), x * y}};
}

Moments moments(const Sums& sums, size_t column) {
  Moments found{};
  const long double weight = sums.weight(column);
  const long double x = sums.of(0, column);
  const long double y = sums.of(1, column);
  found.weight = weight;
  found.prediction_mean = x / weight;
  found.target_mean = y / weight;
  found.prediction_squares = sums.of(2, column) - x / weight * x;
  found.target_squares = sums.of(3, column) - y / weight * y;
  found.products = sums.of(4, column) - x / weight * y;
  found.error_squares = sums.of(2, column) - 2 * sums.of(4, column) + sums.of(3, column);
  return found;
}

Measured mean_of_columns(const Sums& sums, const std::string& name,
                         const std::function<double(size_t column)>& number) {
  Measured measured;
  double sum = 0;
  Table table{.corner = "number", .columns = {name}};
  for (size_t i = 0; i < sums.columns; ++i) {
    table.cells.push_back(number(i));
    table.rows.push_back(i < sums.names.size() ? sums.names[i] : std::to_string(i));
    sum += table.cells.back();
  }
  measured.headline = sum / static_cast<double>(sums.columns);
  if (sums.columns > 1) measured.table = std::move(table);
  return measured;
}

}  // namespace hearth
