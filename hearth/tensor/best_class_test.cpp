// Counting right answers on the host gives what LibTorch's operators give.
#include "hearth/tensor/best_class.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <limits>

namespace hearth {
namespace {

int64_t by_operators(const at::Tensor& scores, const at::Tensor& labels) {
  return scores.argmax(1).eq(labels).sum().item<int64_t>();
}

TEST(CorrectRows, AreThoseOfArgmax) {
  for (const int64_t classes : {1, 2, 10, 1000}) {
    // Few different values, so that many scores are equal.
    const at::Tensor scores = at::randint(0, 4, {64, classes}).to(at::kFloat);
    const at::Tensor labels = at::randint(0, classes, {64}, at::kLong);
    EXPECT_EQ(correct_rows(scores, labels), by_operators(scores, labels)) << classes;
  }
}

TEST(CorrectRows, TakeNotANumberForTheHighestScore) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const at::Tensor scores =
      at::tensor({1.F, nan, nan, inf, 2.F, nan, -inf, -inf, -inf, nan, 1.F, 2.F}).view({4, 3});
  for (int64_t label = 0; label < 3; ++label) {
    const at::Tensor labels = at::tensor({label, label, label, label});
    EXPECT_EQ(correct_rows(scores, labels), by_operators(scores, labels)) << label;
  }
}

TEST(CorrectRows, AreNotCountedForOtherTensors) {
  const at::Tensor scores = at::rand({4, 3});
  const at::Tensor labels = at::randint(0, 3, {4}, at::kLong);
  EXPECT_FALSE(correct_rows(scores.to(at::kDouble), labels));
  EXPECT_FALSE(correct_rows(scores.t().contiguous().t(), labels));
  EXPECT_FALSE(correct_rows(at::rand({4, 3, 2}), labels));
  EXPECT_FALSE(correct_rows(scores, labels.narrow(0, 0, 3)));
}

TEST(CorrectRows, OfNoRowsAreNone) {
  EXPECT_EQ(correct_rows(at::rand({0, 3}), at::randint(0, 3, {0}, at::kLong)), 0);
}

}  // namespace
}  // namespace hearth
