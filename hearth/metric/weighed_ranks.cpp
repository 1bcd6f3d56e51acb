// Ranks of numbers that count with weights.
#include "hearth/metric/weighed_ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hearth {

std::vector<double> weighed_ranks(const at::Tensor& numbers, const at::Tensor& weights) {
  const at::Tensor held = numbers.contiguous();
  const auto* number = held.data_ptr<double>();
  const auto* weight = weights.data_ptr<double>();
  const auto count = static_cast<size_t>(held.numel());
  std::vector<double> ranks(count, std::numeric_limits<double>::quiet_NaN());
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t i) { return std::isnan(number[i]); });
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t left, size_t right) { return number[left] < number[right]; });
  double below = 0;
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    double tied = 0;
    for (; end < order.size() && number[order[end]] == number[order[begin]]; ++end)
      tied += weight[order[end]];
    for (; begin < end; ++begin) ranks[order[begin]] = below + tied / 2;
    below += tied;
  }
  return ranks;
}

double weighed_correlation(const std::vector<double>& left, const std::vector<double>& right,
                           const at::Tensor& weights) {
  const auto* weight = weights.data_ptr<double>();
  double all = 0;
  double left_sum = 0;
  double right_sum = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    if (weight[i] == 0) continue;
    all += weight[i];
    left_sum += weight[i] * left[i];
    right_sum += weight[i] * right[i];
  }
  double left_squares = 0;
  double right_squares = 0;
  double products = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    if (weight[i] == 0) continue;
    const double x = left[i] - left_sum / all;
    const double y = right[i] - right_sum / all;
    left_squares += weight[i] * x * x;
    right_squares += weight[i] * y * y;
    products += weight[i] * x * y;
  }
  return products / std::sqrt(left_squares) / std::sqrt(right_squares);
}

}  // namespace hearth
