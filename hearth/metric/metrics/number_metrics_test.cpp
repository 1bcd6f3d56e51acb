// running, mean_absolute_error and mean_squared_error beside values worked out by hand.
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/metric/metric.h"
#include "hearth/metric/metrics/regression/mean_absolute_error.h"
#include "hearth/metric/metrics/regression/mean_squared_error.h"
#include "hearth/metric/metrics/running.h"

namespace hearth {
namespace {

std::unique_ptr<Metric> number_metric(const Choice<Metric>& choice) {
  return registry<Metric>().make(choice);
}

void add_number(Metric& metric, double number, int64_t step) {
  const at::Tensor tensor = at::full({}, number, at::kDouble);
  metric.update({&tensor, 1}, {step, 0, {10, 10, 1}});
}

TEST(Running, IsAnAverageInWhichEarlierStepsFade) {
  const auto metric = number_metric(metrics::running({.smoothing = 0.5}));
  EXPECT_TRUE(std::isnan(*metric->measured().headline));
  add_number(*metric, 8, 0);
  EXPECT_DOUBLE_EQ(*metric->measured().headline, 8);  // not 4: nothing pulls it to zero
  add_number(*metric, 2, 1);
  add_number(*metric, 4, 2);
  EXPECT_DOUBLE_EQ(*metric->measured().headline, (1.0 * 8 + 2.0 * 2 + 4.0 * 4) / 7);
}

TEST(Running, AsksItsSmoothingAtEveryStep) {
  const Node options = parse_yaml("{smoothing: {linear: {first: 0, last: 0.5, end: 1st}}}", "");
  const auto metric = number_metric({"running", options});
  add_number(*metric, 8, 0);
  add_number(*metric, 2, 1);
  EXPECT_DOUBLE_EQ(*metric->measured().headline, 5);
}

TEST(MeanAbsoluteError, IsTheMeanOfAllDifferencesWithoutTheirSign) {
  const auto metric = number_metric(metrics::mean_absolute_error());
  metric->update(
      std::vector<at::Tensor>{at::tensor({1.0, 2.0}).reshape({2, 1}), at::tensor({2.0, 0.0})}, {});
  metric->update(std::vector<at::Tensor>{at::tensor({1.0}).reshape({1, 1}), at::tensor({7.0})}, {});
  EXPECT_DOUBLE_EQ(*metric->measured().headline, (1.0 + 2.0 + 6.0) / 3);
}

TEST(MeanSquaredError, HasItsRootInTheTargetsUnit) {
  const auto metric = number_metric(metrics::mean_squared_error());
  metric->update(std::vector<at::Tensor>{at::tensor({1.0F, 2.0F}), at::tensor({4, -2}, at::kLong)},
                 {});
  const Measured measured = metric->measured();
  EXPECT_DOUBLE_EQ(*measured.headline, 12.5);
  EXPECT_EQ(measured.numbers.front().first, "root");
  EXPECT_DOUBLE_EQ(measured.numbers.front().second, std::sqrt(12.5));
}

TEST(MeanSquaredError, DoesNotOverflowWhereFloatsWould) {
  const auto metric = number_metric(metrics::mean_squared_error());
  metric->update(std::vector<at::Tensor>{at::tensor({1e30F}), at::tensor({0.F})}, {});
  EXPECT_TRUE(std::isfinite(*metric->measured().headline));
}

TEST(MeanSquaredError, RefusesClassesAndOtherShapes) {
  const auto metric = number_metric(metrics::mean_squared_error());
  const Spec classes = {.dtype = DType::kInt64, .classes = 10, .role = Role::kClass};
  EXPECT_EQ(message_of<GraphError>([&] {
              metric->check({Spec(), classes});
            }),
            "needs numbers in 'target', but it holds classes, int64 [B], 10 classes, whose "
            "differences mean nothing. Use accuracy or f1.");
  EXPECT_EQ(message_of<GraphError>([&] {
              metric->check({{.shape = {2}}, {.shape = {3}}});
            }),
            "needs a true number for each predicted one, but 'prediction' is float32 [B, 2] and "
            "'target' is float32 [B, 3]. Give the last layer as many values as the target has.");
}

}  // namespace
}  // namespace hearth
