#include "hearth/data/image/normal_draws.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(NormalDraws, HaveTheMomentsAndTailsOfTheNormalDistribution) {
  Random random({.seed = 3});
  NormalDraws draw(random);
  std::vector<double> values(200'000);
  for (double& value : values) value = draw();
  const auto moment = [&](int power) {
    double sum = 0;
    for (const double value : values) sum += std::pow(value, power);
    return sum / static_cast<double>(values.size());
  };
  EXPECT_NEAR(moment(1), 0, 0.01);
  EXPECT_NEAR(moment(2), 1, 0.015);
  EXPECT_NEAR(moment(3), 0, 0.04);
  EXPECT_NEAR(moment(4), 3, 0.12);
  const auto beyond = [&](double limit) {
    return static_cast<double>(std::ranges::count_if(
               values, [&](double value) { return std::abs(value) > limit; })) /
           static_cast<double>(values.size());
  };
  EXPECT_NEAR(beyond(1), 0.3173, 0.005);
  EXPECT_NEAR(beyond(3), 0.0027, 0.0006);
  EXPECT_EQ(beyond(4.4), 0);
}

}  // namespace
}  // namespace hearth
