// Activations with a pass of their own beside LibTorch's.
#include "hearth/kernels/activation/every_activation_test.h"

#include <ATen/ops/arange.h>

#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/slope_check.h"

namespace hearth {
namespace {

class PointwiseKernels : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, PointwiseKernels, testing::Values(1, 2));

TEST_P(PointwiseKernels, AreLikeLibTorchsFarOutToo) {
  for (const PointwiseValues& of : kPointwiseValues)
    for (const int64_t size : {1, 7, 8, 1000, 20000}) {
      at::manual_seed(43);
      expect_like_plain(
          [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
            return of.run(kernels, inputs[0]);
          },
          {at::randn({size}).mul(4)}, of.name + " of " + std::to_string(size), 1e-5);
    }
}

// A picture stays channels-last; what flows back may lie in another order.
TEST(Pointwise, KeepsTheOrderInMemoryAndTakesAnyOrderOfGradients) {
  at::manual_seed(44);
  const at::Tensor wide = at::randn({2, 9, 4, 10});
  for (const PointwiseValues& of : kPointwiseValues)
    for (const at::Tensor& input : {wide.contiguous(at::MemoryFormat::ChannelsLast),
                                    wide.transpose(1, 3), wide.slice(3, 0, 10, 3)}) {
      SCOPED_TRACE(of.name);
      const at::Tensor own = input.detach().clone(at::MemoryFormat::Preserve);
      const at::Tensor flow = at::randn_like(own).contiguous();
      const auto gradient = [&](Kernels kernels, const at::Tensor& from) {
        const at::Tensor leaf = from.detach().requires_grad_(true);
        of.run(kernels, leaf).backward(flow.to(from.scalar_type()));
        return leaf.grad();
      };
      const at::Tensor output = of.run(Kernels::kFast, input);
      if (has_vector_unit()) {
        EXPECT_EQ(output.strides(), own.strides());
      }
      EXPECT_LT(relative_difference(output, of.run(Kernels::kPlain, input.to(at::kDouble))), 1e-6);
      EXPECT_LT(relative_difference(gradient(Kernels::kFast, input),
                                    gradient(Kernels::kPlain, input.to(at::kDouble))),
                1e-6);
    }
}

TEST(Pointwise, HasTheSlopesOfDifferences) {
  for (const PointwiseValues& of : kPointwiseValues) {
    // Between the corners at 0, 3 and 6, where there is no slope.
    const at::Tensor points = at::arange(-35, 75, 2).mul(0.1).to(at::kFloat);
    expect_fast_slopes(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return of.run(kernels, inputs[0]);
        },
        {points}, of.name);
  }
}

// At the corners, as LibTorch has it.
TEST(Pointwise, HasLibTorchsSlopesAtCorners) {
  for (const PointwiseValues& of : kPointwiseValues) {
    const at::Tensor corners = at::arange(-32, 32).mul(0.75).to(at::kFloat);
    const auto slopes = [&](Kernels kernels) {
      const at::Tensor leaf = corners.clone().requires_grad_(true);
      of.run(kernels, leaf).sum().backward();
      return leaf.grad();
    };
    EXPECT_LT(relative_difference(slopes(Kernels::kFast), slopes(Kernels::kPlain)), 1e-6)
        << of.name << slopes(Kernels::kFast) << slopes(Kernels::kPlain);
  }
}

}  // namespace
}  // namespace hearth
