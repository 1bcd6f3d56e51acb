// Products of two thin matrices, in an order of their own.
#include "hearth/network/thin_product.h"

#include <ATen/ops/zeros.h>

#include <cmath>
#include <span>
#include <vector>

namespace hearth {
namespace {

// Of float32 values, whose own rounding would leave as much.
constexpr double kNothingLeft = 1e-6;

using Column = std::vector<double>;

double product(std::span<const double> left, std::span<const double> right) {
  double sum = 0;
  for (size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
  return sum;
}

void take_away(std::span<const Column> directions, Column& column) {
  for (const Column& direction : directions) {
    const double share = product(direction, column);
    for (size_t i = 0; i < column.size(); ++i) column[i] -= share * direction[i];
  }
}

std::vector<Column> columns_of(const at::Tensor& matrix) {
  const auto count = static_cast<size_t>(matrix.size(1));
  const auto* values = matrix.data_ptr<float>();
  std::vector<Column> columns(count, Column(static_cast<size_t>(matrix.size(0))));
  for (size_t i = 0; i < columns[0].size(); ++i)
    for (size_t k = 0; k < count; ++k) columns[k][i] = static_cast<double>(values[i * count + k]);
  return columns;
}

}  // namespace

// Gram and Schmidt's way, taken twice: once leaves too much where columns are nearly the same.
void make_orthonormal(const at::Tensor& columns) {
  std::vector<Column> all = columns_of(columns);
  for (size_t k = 0; k < all.size(); ++k) {
    const double before = std::sqrt(product(all[k], all[k]));
    const std::span<const Column> directions = std::span(all).first(k);
    for (int round = 0; round < 2; ++round) take_away(directions, all[k]);
    const double length = std::sqrt(product(all[k], all[k]));
    const double factor = length > kNothingLeft * before ? 1 / length : 0;
    for (double& value : all[k]) value *= factor;
  }
  auto* values = columns.data_ptr<float>();
  for (size_t i = 0; i < all[0].size(); ++i)
    for (size_t k = 0; k < all.size(); ++k)
      values[i * all.size() + k] = static_cast<float>(all[k][i]);
}

at::Tensor thin_product(const at::Tensor& left, const at::Tensor& right) {
  const int64_t rank = left.size(1);
  const int64_t columns = right.size(1);
  at::Tensor result = at::zeros({left.size(0), columns}, left.options());
  const auto* factors = left.data_ptr<float>();
  for (int64_t row = 0; row < left.size(0); ++row) {
    auto* sums = result.data_ptr<float>() + row * columns;
    for (int64_t k = 0; k < rank; ++k) {
      const float factor = factors[row * rank + k];
      const auto* values = right.data_ptr<float>() + k * columns;
      for (int64_t column = 0; column < columns; ++column) sums[column] += factor * values[column];
    }
  }
  return result;
}

}  // namespace hearth
