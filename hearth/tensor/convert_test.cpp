// Dtypes, specs and descriptions of tensors.
#include "hearth/tensor/convert.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

TEST(Convert, EveryDtypeComesBackTheSameWithTheSameSize) {
  for (const char* text :
       {"bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"}) {
    const DType dtype = dtype_from(text).value();
    const at::Tensor tensor = at::zeros({1}, scalar_type(dtype));
    EXPECT_EQ(dtype_of(tensor), dtype);
    EXPECT_EQ(tensor.element_size(), static_cast<size_t>(size_of(dtype)));
  }
}

TEST(Convert, ADtypeThatHearthDoesNotKnowIsAnError) {
  try {
    (void)dtype_of(at::zeros({1}, at::kShort));
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "A tensor has the dtype Short, which Hearth does not know. Convert it to one of: "
                 "bool, uint8, int32, int64, float16, bfloat16, float32, float64.");
  }
}

TEST(Convert, TheFirstDimensionOfABatchIsNotInItsSpec) {
  const Spec spec = spec_of(at::zeros({64, 1, 8, 8}));
  EXPECT_EQ(spec.shape, (std::vector<int64_t>{1, 8, 8}));
  EXPECT_FALSE(spec.is_per_batch);
}

TEST(Convert, AScalarIsOneValueForTheBatch) { EXPECT_TRUE(spec_of(at::zeros({})).is_per_batch); }

TEST(Convert, DescribesDtypeAndShape) {
  EXPECT_EQ(describe(at::zeros({64, 10})), "float32 [64, 10]");
  EXPECT_EQ(describe(at::Tensor()), "an undefined tensor");
}

}  // namespace
}  // namespace hearth
