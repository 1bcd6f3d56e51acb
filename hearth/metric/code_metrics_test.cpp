// Metrics of a program's own functions.
#include "hearth/metric/code_metrics.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/metric/metric.h"

namespace hearth {
namespace {

TEST(CodeMetric, IsTheMeanOfAFunctionWithWeights) {
  const auto metric = registry<Metric>().make(metrics::mean_of(
      "largest_error",
      {.in = {"guess", "truth"},
       .values = [](std::span<const at::Tensor> keys) { return (keys[0] - keys[1]).abs(); },
       .finish = [](double mean) { return std::sqrt(mean); },
       .is_better_when_higher = false,
       .weight = "importance"}));
  EXPECT_EQ(metric->name(), "largest_error");
  EXPECT_EQ(metric->reads(), (std::vector<std::string>{"guess", "truth", "importance"}));
  EXPECT_FALSE(metric->is_better_when_higher());
  metric->check({Spec(), Spec(), Spec()});
  metric->update(std::vector<at::Tensor>{at::tensor({1.F, 9.F}), at::tensor({3.F, 5.F}),
                                         at::tensor({1.F, 3.F})},
                 {});
  EXPECT_DOUBLE_EQ(*metric->measured().headline, std::sqrt((2.0 + 3 * 4) / 4));
}

TEST(CodeMetric, NeedsKeysAndAFunction) {
  EXPECT_THROW((void)metrics::mean_of("nothing", {}), ConfigError);
}

}  // namespace
}  // namespace hearth
