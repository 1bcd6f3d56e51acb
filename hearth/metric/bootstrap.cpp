// The metric of samples drawn anew from those that were gathered.
#include "hearth/metric/bootstrap.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "hearth/core/random.h"

namespace hearth {
namespace {

// How often each sample comes in a draw of as many.
at::Tensor drawn(const BootstrapOptions& options, int64_t draw, int64_t samples) {
  Random random({.seed = static_cast<uint64_t>(options.seed),
                 .epoch = static_cast<uint32_t>(draw),
                 .op = op_number("bootstrap")});
  const at::Tensor times = at::zeros({samples}, at::kDouble);
  auto* time = times.data_ptr<double>();
  for (int64_t i = 0; i < samples; ++i) ++time[random.between(0, samples - 1)];
  return times;
}

// Between the two nearest, as NumPy's.
double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

}  // namespace

const Schema<BootstrapOptions>& BootstrapOptions::schema() {
  using O = BootstrapOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::resamples, "resamples",
                 "How many times as many samples as there are are drawn from them, for the numbers "
                 "`low` and `high`; 0: not at all. Some hundreds do. Costs the memory of a row for "
                 "each sample, and the metric's time as many times.",
                 at_least(0), at_most(100000))
          .field(&O::confidence, "confidence",
                 "Share of the draws that lie between the two numbers.", above(0), below(1))
          .field(&O::seed, "seed", "Another one draws others.", at_least(0));
  return fields;
}

void add_interval(const BootstrapOptions& options, int64_t samples,
                  const std::function<double(const at::Tensor& times)>& headline,
                  Measured& measured) {
  if (options.resamples == 0) return;
  std::vector<double> found;
  for (int64_t draw = 0; samples > 0 && draw < options.resamples; ++draw) {
    const double number = headline(drawn(options, draw, samples));
    if (!std::isnan(number)) found.push_back(number);
  }
  std::sort(found.begin(), found.end());
  const double outside = (1 - options.confidence) / 2;
  measured.numbers.emplace_back("low", quantile(found, outside));
  measured.numbers.emplace_back("high", quantile(found, 1 - outside));
}

at::Tensor order_by_value(const std::vector<at::Tensor>& columns) {
  struct Bytes {
    const char* begin;
    size_t row;
  };
  std::vector<at::Tensor> held;
  std::vector<Bytes> all;
  const int64_t rows = columns.front().size(0);
  for (const at::Tensor& column : columns) {
    held.push_back(column.contiguous());
    all.push_back({static_cast<const char*>(held.back().data_ptr()),
                   rows == 0 ? 0 : held.back().nbytes() / static_cast<size_t>(rows)});
  }
  at::Tensor order = at::empty({rows}, at::kLong);
  int64_t* first = order.data_ptr<int64_t>();
  std::iota(first, first + rows, 0);
  std::sort(first, first + rows, [&](int64_t left, int64_t right) {
    for (const Bytes& bytes : all) {
      const int found =
          std::memcmp(bytes.begin + static_cast<size_t>(left) * bytes.row,
                      bytes.begin + static_cast<size_t>(right) * bytes.row, bytes.row);
      if (found != 0) return found < 0;
    }
    return false;
  });
  return order;
}

}  // namespace hearth
