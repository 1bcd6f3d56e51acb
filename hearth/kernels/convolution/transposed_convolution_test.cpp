// Transposed convolutions beside LibTorch's, over many shapes.
#include "hearth/kernels/convolution/transposed_convolution.h"

#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/slope_check.h"

namespace hearth {
namespace {

struct TransposedCase {
  std::vector<int64_t> input;
  std::vector<int64_t> weight;
  ConvolutionShape shape;
  Sides<2> further = 0;
  bool has_bias = false;

  [[nodiscard]] std::string text() const {
    std::string text = "input";
    for (const int64_t size : input) text += " " + std::to_string(size);
    text += ", weight";
    for (const int64_t size : weight) text += " " + std::to_string(size);
    return text + ", stride " + std::to_string(shape.stride[0]) + ", padding " +
           std::to_string(shape.padding[0]) + ", groups " + std::to_string(shape.groups);
  }
};

void expect_transposed(const TransposedCase& c, bool channels_last) {
  TransposedConvolution convolution(c.shape, c.further);
  at::manual_seed(71);
  at::Tensor input = at::randn(c.input);
  if (channels_last) input = input.contiguous(at::MemoryFormat::ChannelsLast);
  const int64_t out = c.weight[1] * c.shape.groups;
  expect_like_plain(
      [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
        return convolution.run(kernels, inputs[0], inputs[1], inputs[2]);
      },
      {input, at::randn(c.weight), c.has_bias ? at::randn({out}) : at::Tensor()}, c.text());
}

TransposedCase draw_transposed(ShapeDraw& draw) {
  const int64_t groups = draw(0, 3) == 0 ? draw(2, 4) : 1;
  const Sides<2> kernel = {draw(1, 4), draw(1, 4)};
  const Sides<2> stride = {draw(1, 3), draw(1, 3)};
  const int64_t dilation = draw(0, 4) == 0 ? 2 : 1;
  const int64_t in = groups * draw(1, 18);
  const ConvolutionShape shape = {stride, draw(0, 1), dilation, groups};
  return {{draw(1, 3), in, draw(3, 7), draw(3, 7)},
          {in, draw(1, 18), kernel[0], kernel[1]},
          shape,
          {draw(0, stride[0] - 1), draw(0, stride[1] - 1)},
          draw.flip()};
}

class TransposedShapes : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, TransposedShapes, testing::Values(1, 2));

TEST_P(TransposedShapes, AreLikeLibTorchsWhenRandom) {
  ShapeDraw draw(8);
  for (int i = 0; i < 100; ++i) expect_transposed(draw_transposed(draw), draw.flip());
}

TEST_P(TransposedShapes, AreLikeLibTorchsInKnownNetworks) {
  for (const TransposedCase& c : std::vector<TransposedCase>{
           {{2, 64, 8, 8}, {64, 32, 2, 2}, {2}, 0, true},
           {{2, 32, 7, 7}, {32, 16, 4, 4}, {2, 1}},
           {{2, 48, 6, 6}, {48, 40, 3, 3}, {1, 1}, 0, true},
           {{2, 24, 5, 6}, {24, 1, 3, 3}, {2, 1, 1, 24}, 1, true},
       })
    expect_transposed(c, true);
}

TEST(TransposedConvolution, HasTheSlopesOfDifferences) {
  at::manual_seed(72);
  TransposedConvolution convolution({2, 1}, 1);
  expect_fast_slopes(
      [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
        return convolution.run(kernels, inputs[0], inputs[1], inputs[2]);
      },
      {at::randn({2, 5, 4, 3}), at::randn({5, 7, 3, 3}), at::randn({7})}, "transposed");
}

TEST(TransposedConvolution, GivesABiasItsGradientBesideAFrozenWeight) {
  TransposedConvolution convolution({2}, 0);
  const at::Tensor input = at::randn({2, 3, 4, 4});
  const at::Tensor bias = at::randn({6}).set_requires_grad(true);
  convolution.run(Kernels::kFast, input, at::randn({3, 6, 2, 2}), bias).sum().backward();
  EXPECT_TRUE(bias.grad().eq(2 * 8 * 8).all().item<bool>()) << bias.grad();
}

}  // namespace
}  // namespace hearth
