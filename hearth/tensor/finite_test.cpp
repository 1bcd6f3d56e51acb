// Finite numbers are told from all others, wherever they stand.
#include "hearth/tensor/finite.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <limits>

namespace hearth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(IsFinite, FindsOneValueThatIsNotWhereverItStands) {
  for (const double value : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()})
    for (const int64_t place : {0, 8, 21, 32}) {
      const at::Tensor tensor = at::arange(33, at::kFloat);
      tensor[place] = value;
      EXPECT_FALSE(is_finite(tensor)) << value << " at " << place;
      EXPECT_FALSE(is_finite(tensor.reshape({3, 11}).t())) << value << " at " << place;
    }
}

TEST(IsFinite, AcceptsLargeNumbersWholeNumbersAndNone) {
  EXPECT_TRUE(is_finite(at::arange(5, at::kFloat).mul(8e37)));
  EXPECT_TRUE(is_finite(at::arange(5, at::kLong)));
  EXPECT_TRUE(is_finite(at::empty({0, 3})));
}

}  // namespace
}  // namespace hearth
