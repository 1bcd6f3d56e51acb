// What counts as a loss, and what is said of what does not.
#include "hearth/tensor/batch_loss.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

std::string loss_fault(DType dtype, bool is_per_batch, std::vector<int64_t> shape = {}) {
  Spec spec;
  spec.dtype = dtype;
  spec.is_per_batch = is_per_batch;
  spec.shape = std::move(shape);
  try {
    check_batch_loss({"loss", spec});
  } catch (const GraphError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(BatchLoss, IsOneFloatForTheWholeBatch) {
  EXPECT_EQ(loss_fault(DType::kFloat32, true), "no fault");
  EXPECT_EQ(loss_fault(DType::kBFloat16, true), "no fault");
}

TEST(BatchLoss, IsNeitherAValueOfEverySampleNorAWholeNumberNorSeveralValues) {
  EXPECT_EQ(loss_fault(DType::kFloat32, false),
            "needs one float for the whole batch in 'loss', but it is float32 [B]. Name the key a "
            "loss writes.");
  EXPECT_NE(loss_fault(DType::kInt64, true), "no fault");
  EXPECT_NE(loss_fault(DType::kFloat32, true, {2}), "no fault");
}

}  // namespace
}  // namespace hearth
