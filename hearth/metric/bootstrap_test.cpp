// Confidence intervals: where they lie, and that they hang on the samples and the seed alone.
#include "hearth/metric/bootstrap.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/metric.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/metric/metrics/classification/roc_auc.h"
#include "hearth/metric/metrics/regression/mean_absolute_error.h"

namespace hearth {
namespace {

constexpr BootstrapOptions kDraws = {.resamples = 400};

struct Interval {
  double low = 0;
  double middle = 0;
  double high = 0;
};

Interval interval_of(const Metric& metric) {
  const Measured measured = metric.measured();
  const auto& numbers = measured.numbers;
  EXPECT_EQ(numbers[numbers.size() - 2].first, "low");
  EXPECT_EQ(numbers.back().first, "high");
  return {numbers[numbers.size() - 2].second, *measured.headline, numbers.back().second};
}

// Of 100 samples, 80 right.
std::unique_ptr<Metric> mostly_right(const BootstrapOptions& draws) {
  auto metric = registry<Metric>().make(metrics::accuracy({.bootstrap = draws}));
  const at::Tensor labels = at::arange(100).remainder(5).eq(0).to(at::kLong);
  const at::Tensor scores = at::zeros({100, 2});
  scores.select(1, 0).fill_(1);
  metric->update(std::vector<at::Tensor>{scores, labels}, {});
  return metric;
}

// The deviation of such a share is 0.04: 95 of 100 lie within 0.078.
TEST(Bootstrap, IsAboutAsWideAsTheTheorySays) {
  const Interval found = interval_of(*mostly_right(kDraws));
  EXPECT_DOUBLE_EQ(found.middle, 0.8);
  EXPECT_NEAR(found.low, 0.722, 0.02);
  EXPECT_NEAR(found.high, 0.878, 0.02);
  const Interval half = interval_of(*mostly_right({.resamples = 400, .confidence = 0.5}));
  EXPECT_GT(half.low, found.low);
  EXPECT_LT(half.high, found.high);
}

TEST(Bootstrap, DrawsOthersWithAnotherSeed) {
  const Interval found = interval_of(*mostly_right({.resamples = 50}));
  const Interval same = interval_of(*mostly_right({.resamples = 50}));
  EXPECT_EQ(found.low, same.low);
  bool differs = false;
  for (int64_t seed = 1; seed < 5; ++seed) {
    const Interval other = interval_of(*mostly_right({.resamples = 50, .seed = seed}));
    differs |= other.low != found.low || other.high != found.high;
  }
  EXPECT_TRUE(differs);
}

TEST(Bootstrap, IsTheSameInWhateverOrderSamplesCome) {
  const Choice<Metric> choice = metrics::mean_absolute_error({.bootstrap = kDraws});
  const at::Tensor guess = at::randn({60});
  const at::Tensor truth = at::randn({60});
  const auto whole = registry<Metric>().make(choice);
  whole->update(std::vector<at::Tensor>{guess, truth}, {});
  const auto later = registry<Metric>().make(choice);
  const auto earlier = registry<Metric>().make(choice);
  earlier->update(std::vector<at::Tensor>{guess.slice(0, 0, 25), truth.slice(0, 0, 25)}, {});
  later->update(std::vector<at::Tensor>{guess.slice(0, 25), truth.slice(0, 25)}, {});
  later->merge(*earlier);
  EXPECT_EQ(interval_of(*later).low, interval_of(*whole).low);
  EXPECT_EQ(interval_of(*later).high, interval_of(*whole).high);
}

TEST(Bootstrap, LeavesOutDrawsThatSayNothing) {
  const auto metric = registry<Metric>().make(metrics::roc_auc({.bootstrap = kDraws}));
  metric->check({{.shape = {1}}, {.dtype = DType::kInt64, .classes = 2, .role = Role::kClass}});
  metric->update(std::vector<at::Tensor>{at::tensor({1.F, 2.F, 3.F}).reshape({3, 1}),
                                         at::tensor({0, 0, 1}, at::kLong)},
                 {});
  EXPECT_EQ(interval_of(*metric).low, 1);
}

TEST(Bootstrap, OfNothingIsNoNumber) {
  const auto metric = registry<Metric>().make(metrics::accuracy({.bootstrap = kDraws}));
  EXPECT_TRUE(std::isnan(interval_of(*metric).low));
}

TEST(OrderByValue, HangsOnValuesAlone) {
  const at::Tensor values = at::tensor({3, 1, 2, 1}, at::kLong);
  const at::Tensor order = order_by_value({values});
  EXPECT_TRUE(values.index_select(0, order).equal(at::tensor({1, 1, 2, 3}, at::kLong)));
}

}  // namespace
}  // namespace hearth
