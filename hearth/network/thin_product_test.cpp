// Thin matrices.
#include "hearth/network/thin_product.h"

#include <ATen/ops/eye.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(MakeOrthonormal, MakesColumnsThatSpanTheSame) {
  at::manual_seed(1);
  const at::Tensor given = at::randn({50, 4});
  const at::Tensor made = given.clone();
  make_orthonormal(made);
  EXPECT_TRUE(made.t().mm(made).allclose(at::eye(4), 1e-5, 1e-6));
  EXPECT_TRUE(made.mm(made.t().mm(given)).allclose(given, 1e-4, 1e-5));
}

TEST(MakeOrthonormal, LeavesNothingOfAColumnThatOthersSpan) {
  at::manual_seed(2);
  const at::Tensor one = at::randn({30});
  const at::Tensor other = at::randn({30});
  const at::Tensor made =
      at::stack({one, one.mul(3), at::zeros({30}), other, one.sub(other)}, 1).contiguous();
  make_orthonormal(made);
  for (const int64_t column : {1, 2, 4})
    EXPECT_EQ(made.select(1, column).abs().sum().item<float>(), 0);
  for (const int64_t column : {0, 3})
    EXPECT_NEAR(made.select(1, column).norm().item<float>(), 1, 1e-6);
}

TEST(ThinProduct, IsTheProduct) {
  at::manual_seed(3);
  const at::Tensor left = at::randn({7, 3});
  const at::Tensor right = at::randn({3, 11});
  EXPECT_TRUE(thin_product(left, right).allclose(left.mm(right), 1e-5, 1e-6));
}

}  // namespace
}  // namespace hearth
