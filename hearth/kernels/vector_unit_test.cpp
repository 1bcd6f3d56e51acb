// With the vector unit and without it. The build's tests run this once as the machine is and once
// with HEARTH_VECTOR_UNIT=off.
#include <torch/csrc/autograd/autograd.h>

#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/base/processor.h"
#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/convolution/convolution.h"
#include "hearth/kernels/normalization/batch_norm.h"
#include "hearth/kernels/pooling/max_pool.h"
#include "hearth/kernels/product/linear.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

namespace hearth {
namespace {

bool is_denied() {
  const char* setting = std::getenv("HEARTH_VECTOR_UNIT");
  return setting != nullptr && std::string(setting) == "off";
}

// Only LibTorch's operators have gradients of gradients.
bool is_from_plain_path(const at::Tensor& output, const at::Tensor& input) {
  try {
    (void)torch::autograd::grad({output.square().sum()}, {input}, {}, true, true);
    return true;
  } catch (const GraphError&) {
    return false;
  }
}

TEST(VectorUnit, IsUsedWhereTheProcessorHasItUnlessItIsDenied) {
  const bool is_there = processor().has_avx2 && processor().has_fma;
  EXPECT_EQ(has_vector_unit(), is_there && !is_denied());
  EXPECT_EQ(goes_fast(Kernels::kFast, at::ones({3})), has_vector_unit());
  EXPECT_FALSE(goes_fast(Kernels::kPlain, at::ones({3})));
}

TEST(VectorUnit, WithoutItEveryKernelIsThePlainOne) {
  at::manual_seed(41);
  const at::Tensor input = at::randn({2, 32, 8, 8}).set_requires_grad(true);
  const at::Tensor weight = at::randn({32, 32, 3, 3});
  const BatchNormTensors tensors = {at::ones({32}), at::zeros({32}), at::zeros({32}),
                                    at::ones({32})};
  Convolution convolution({1, 1});
  const std::vector<std::function<at::Tensor(Kernels)>> runs = {
      [&](Kernels kernels) { return convolution.run(kernels, input, weight, {}, true); },
      [&](Kernels kernels) { return batch_norm(kernels, input, tensors, {}, input, true); },
      [&](Kernels kernels) {
        return max_pool(kernels, input, {3, 2, 1}, true);
      },
      [&](Kernels kernels) {
        return linear_product(
            kernels, input.flatten(1),
            weight.reshape({-1}).slice(0, 0, 9 * 1024).reshape({9, 1024}).repeat({1, 2}), {}, {},
            true);
      }};
  for (size_t i = 0; i < runs.size(); ++i) {
    const at::Tensor output = runs[i](Kernels::kFast);
    EXPECT_EQ(is_from_plain_path(output, input), !has_vector_unit()) << i;
    EXPECT_TRUE(has_vector_unit() || output.equal(runs[i](Kernels::kPlain))) << i;
  }
}

}  // namespace
}  // namespace hearth
