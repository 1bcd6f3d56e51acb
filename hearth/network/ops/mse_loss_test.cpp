// mse_loss: its number, and what it refuses.
#include "hearth/network/ops/mse_loss.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "hearth/network/network_fixture.h"

namespace hearth {
namespace {

TEST(MseLoss, IsTheMeanOfTheSquaresWithOrWithoutALastDimensionOfOne) {
  const auto op = registry<NetworkOp>().make(network_ops::mse_loss());
  const at::Tensor predicted = at::tensor({1.0, 2.0, 4.0}).reshape({3, 1});
  const at::Tensor truth = at::tensor({1.0, 4.0, 1.0});
  EXPECT_NEAR(run_op(*op, {}, {predicted, truth}).item<double>(), 13.0 / 3, 1e-6);
  EXPECT_EQ(op->infer({sample_spec({1}), sample_spec({})}), std::vector<Spec>{loss_spec()});
}

TEST(MseLoss, RefusesClassesAndOtherShapes) {
  const auto op = registry<NetworkOp>().make(network_ops::mse_loss());
  Spec label = sample_spec({}, DType::kInt64, 3);
  label.role = Role::kClass;
  EXPECT_THROW((void)op->infer({sample_spec({1}), label}), GraphError);
  EXPECT_THROW((void)op->infer({sample_spec({2}), sample_spec({3})}), GraphError);
}

}  // namespace
}  // namespace hearth
