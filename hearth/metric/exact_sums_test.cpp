// Sums without rounding: the same in any order, on every path, through a checkpoint.
#include "hearth/metric/exact_sums.h"

#include <ATen/ops/flip.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

long double sum_of(const std::vector<double>& numbers) {
  ExactSums sums;
  sums.add(at::tensor(numbers, at::kDouble).reshape({-1, 1}));
  return sums.totals().at(0);
}

TEST(ExactSums, LoseNothing) {
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({5e-324, 1e308, -1e308}), 5e-324);
  EXPECT_EQ(sum_of({-3, 1.5}), -1.5);
  EXPECT_EQ(sum_of({-0.0, 0.0}), 0);
  EXPECT_EQ(sum_of({std::numeric_limits<double>::max()}), std::numeric_limits<double>::max());
  EXPECT_EQ(sum_of({-std::numeric_limits<double>::denorm_min()}),
            -std::numeric_limits<double>::denorm_min());
}

TEST(ExactSums, AreInfiniteOrNoNumbersAsUsual) {
  EXPECT_EQ(sum_of({1, kInfinite}), kInfinite);
  EXPECT_EQ(sum_of({-kInfinite, 7}), -kInfinite);
  EXPECT_TRUE(std::isnan(sum_of({kInfinite, -kInfinite})));
  EXPECT_TRUE(std::isnan(sum_of({1, std::nan("")})));
}

TEST(ExactSums, AreTheSameInAnyOrderAndInHalves) {
  const at::Tensor rows = at::randn({999, 3}, at::kDouble).mul(at::randn({999, 3}).mul(20).exp());
  ExactSums whole;
  whole.add(rows);
  ExactSums backwards;
  backwards.add(at::flip(rows, {0}));
  EXPECT_EQ(whole.totals(), backwards.totals());
  ExactSums first;
  ExactSums second;
  first.add(rows.slice(0, 0, 400));
  second.add(rows.slice(0, 400));
  second.add(first);
  EXPECT_EQ(whole.totals(), second.totals());
}

TEST(ExactSums, SurviveACheckpoint) {
  ExactSums sums;
  sums.add(std::vector<double>{0.1, 1e-200});
  State state;
  sums.save(state, "sums");
  ExactSums loaded;
  loaded.restore(state, "sums");
  EXPECT_EQ(loaded.totals(), sums.totals());
  state.tensors[0].second = at::tensor({1.0});
  EXPECT_THROW(loaded.restore(state, "sums"), DataError);
}

}  // namespace
}  // namespace hearth
