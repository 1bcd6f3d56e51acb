// Products in bfloat16 beside the plain path, which rounds the same factors and multiplies them in
// float32, and beside LibTorch's own bfloat16.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>

#include <limits>

#include "hearth/kernels/attention/attention.h"
#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/convolution/convolution.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/kernels/product/products.h"

namespace hearth {
namespace {

constexpr Kernels kRounded = Kernels::kFast.in(Precision::kBfloat16);
constexpr Kernels kPlainRounded = Kernels::kPlain.in(Precision::kBfloat16);

// The same factors are rounded, so that only the order of sums differs.
void expect_like_plain_rounded(const KernelRun& run, const std::vector<at::Tensor>& inputs,
                               const std::string& what, double tolerance = 3e-5) {
  SCOPED_TRACE(what);
  const KernelResult truth = run_kernel(run, kPlainRounded, inputs, at::kFloat);
  const KernelResult fast = run_kernel(run, kRounded, inputs, at::kFloat);
  const KernelResult again = run_kernel(run, kRounded, inputs, at::kFloat);
  EXPECT_LT(relative_difference(fast.output, truth.output), tolerance);
  EXPECT_TRUE(fast.output.equal(again.output));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!truth.gradients[i].defined()) continue;
    EXPECT_LT(relative_difference(fast.gradients[i], truth.gradients[i]), tolerance) << i;
    EXPECT_TRUE(fast.gradients[i].equal(again.gradients[i])) << i;
  }
}

class Bfloat16 : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, Bfloat16, testing::Values(1, 2));

TEST_P(Bfloat16, LinearIsLikeThePlainPathOnRandomShapes) {
  ShapeDraw draw(3);
  for (int i = 0; i < 40; ++i) {
    at::manual_seed(i);
    const int64_t in = draw(0, 6) == 0 ? draw(500, 1100) : draw(1, 70);
    const int64_t out = draw(0, 6) == 0 ? draw(500, 600) : draw(1, 70);
    const int64_t rows = draw(1, 80);
    const bool relu = draw.flip();
    expect_like_plain_rounded(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return linear_product(kernels, inputs[0], inputs[1], inputs[2], inputs[3], relu);
        },
        {at::randn({rows, in}), at::randn({out, in}), draw.flip() ? at::randn({out}) : at::Tensor(),
         draw.flip() ? at::randn({rows, out}) : at::Tensor()},
        std::to_string(rows) + " rows of " + std::to_string(in) + " to " + std::to_string(out));
  }
}

TEST_P(Bfloat16, ConvolutionIsLikeThePlainPathOnRandomShapes) {
  ShapeDraw draw(4);
  for (int i = 0; i < 60; ++i) {
    at::manual_seed(i);
    const int64_t groups = draw(0, 5) == 0 ? 2 : 1;
    const int64_t in = groups * draw(1, 40);
    const int64_t out = groups * draw(1, 40);
    const int64_t kernel = draw(1, 5);
    const ConvolutionShape shape = {draw(1, 2), draw(0, 2), kernel > 3 ? 1 : draw(1, 2), groups};
    const int64_t side = draw(9, 12);
    const int64_t batch = draw(1, 30);
    const bool relu = draw.flip();
    expect_like_plain_rounded(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          Convolution convolution(shape);
          return convolution.run(kernels, inputs[0], inputs[1], inputs[2], relu);
        },
        {at::randn({batch, in, side, side + 1}), at::randn({out, in / groups, kernel, kernel}),
         draw.flip() ? at::randn({out}) : at::Tensor()},
        std::to_string(batch) + " of " + std::to_string(in) + " to " + std::to_string(out) +
            " by " + std::to_string(kernel));
  }
}

// Softmax stands between its products: a weight may be rounded to a neighbour.
TEST_P(Bfloat16, AttentionIsLikeThePlainPathOnRandomShapes) {
  ShapeDraw draw(5);
  for (int i = 0; i < 20; ++i) {
    at::manual_seed(i);
    const AttentionSettings settings = {draw(1, 4), draw.flip(), 0};
    expect_like_plain_rounded(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return attention(kernels, inputs[0], settings, {});
        },
        {at::randn({draw(1, 3), draw(2, 140), 3 * settings.heads * draw(1, 20)})},
        std::to_string(i), 1e-2);
  }
}

using Product = at::Tensor (*)(Kernels kernels, const at::Tensor& input, const at::Tensor& weight);

at::Tensor linear_of(Kernels kernels, const at::Tensor& input, const at::Tensor& weight) {
  return linear_product(kernels, input.flatten(1), weight.flatten(1), {});
}

at::Tensor convolution_of(Kernels kernels, const at::Tensor& input, const at::Tensor& weight) {
  Convolution convolution({1, 1});
  return convolution.run(kernels, input, weight, {});
}

class Bfloat16Products : public testing::TestWithParam<Product> {
 protected:
  void SetUp() override {
    at::manual_seed(1);
    input = at::randn({20, 36, 5, 5});
    weight = at::randn({33, 36, 5, 5}).mul(0.1);
  }
  at::Tensor input, weight;
};
INSTANTIATE_TEST_SUITE_P(All, Bfloat16Products, testing::Values(linear_of, convolution_of));

// 8 bits of a factor: neither float32 nor much less than bfloat16.
TEST_P(Bfloat16Products, LoseWhatRoundingLoses) {
  const at::Tensor exact = GetParam()(Kernels::kFast, input, weight);
  for (const Kernels kernels : {kRounded, kPlainRounded}) {
    const at::Tensor lost = GetParam()(kernels, input, weight).sub(exact);
    const double share = lost.norm().item<double>() / exact.norm().item<double>();
    EXPECT_GT(share, 1e-3);
    EXPECT_LT(share, 4e-3);
  }
}

// LibTorch also rounds what comes out.
TEST_P(Bfloat16Products, AreWhatLibTorchsOwnTypeGivesButForItsLastRounding) {
  const bool is_linear = GetParam() == linear_of;
  const at::Tensor own = GetParam()(kRounded, input, weight);
  const at::Tensor x = input.to(at::kBFloat16);
  const at::Tensor w = weight.to(at::kBFloat16);
  const at::Tensor theirs = is_linear ? at::linear(x.flatten(1), w.flatten(1))
                                      : at::conv2d(x, w, {}, {1, 1}, at::IntArrayRef({1, 1}));
  EXPECT_LT(relative_difference(own, theirs.to(at::kFloat)), 1.0 / 256);
}

TEST_P(Bfloat16Products, KeepWhatIsInfiniteOrNotANumber) {
  for (const float odd : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    for (const bool is_weight : {false, true}) {
      std::vector<at::Tensor> inputs = {input.clone(), weight.clone()};
      inputs[is_weight ? 1 : 0].data_ptr<float>()[12] = odd;
      const KernelRun run = [](Kernels kernels, const std::vector<at::Tensor>& given) {
        return GetParam()(kernels, given[0], given[1]);
      };
      const KernelResult truth = run_kernel(run, kPlainRounded, inputs, at::kFloat);
      const KernelResult fast = run_kernel(run, kRounded, inputs, at::kFloat);
      EXPECT_TRUE(fast.output.isfinite().equal(truth.output.isfinite()));
      for (size_t i = 0; i < 2; ++i)
        EXPECT_FALSE(fast.gradients[i]
                         .isfinite()
                         .logical_and(truth.gradients[i].isfinite().logical_not())
                         .any()
                         .item<bool>());
    }
  }
}

TEST_P(Bfloat16Products, HaveBitsThatNoNeighbourNorThreadChanges) {
  const at::Tensor all = GetParam()(kRounded, input, weight);
  const at::Tensor some = GetParam()(kRounded, input.slice(0, 3, 14), weight);
  EXPECT_TRUE(all.slice(0, 3, 14).equal(some) || !has_bfloat16_unit());
  const WithThreads one(1);
  EXPECT_TRUE(all.equal(GetParam()(kRounded, input, weight)) || !has_bfloat16_unit());
}

TEST(Bfloat16Weights, GiveGradientsInTheirOwnOrderWithTheSameBits) {
  at::manual_seed(2);
  for (const int64_t channels : {6, 40}) {
    Convolution convolution({2, 1});
    const at::Tensor input = at::randn({9, channels, 7, 7});
    const at::Tensor weight = at::randn({34, channels, 3, 3}).set_requires_grad(true);
    const WeightOrder* order = convolution.wanted_order(kRounded, weight, {channels, 7, 7});
    if (order == nullptr) continue;  // the ordinary one
    const at::Tensor packed = weight.detach().clone().set_requires_grad(true);
    pack_parameter(packed, *order);
    const at::Tensor ordinary_output = convolution.run(kRounded, input, weight, {}, true);
    const at::Tensor output = convolution.run(kRounded, input, packed, {}, true);
    EXPECT_TRUE(output.equal(ordinary_output) || !has_bfloat16_unit());
    ordinary_output.sum().backward();
    output.sum().backward();
    EXPECT_EQ(packed.grad().strides(), packed.strides());
    EXPECT_LT(relative_difference(packed.grad().reshape(weight.sizes()), weight.grad()), 1e-5);
  }
}

}  // namespace
}  // namespace hearth
