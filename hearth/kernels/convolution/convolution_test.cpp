// Convolutions beside LibTorch's, over many shapes.
#include "hearth/kernels/convolution/convolution.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/convolution/depthwise_rows.h"
#include "hearth/kernels/memory/memory_cache.h"

namespace hearth {
namespace {

std::string sides_text(const Sides<2>& sides) {
  return std::to_string(sides[0]) + "x" + std::to_string(sides[1]);
}

struct ConvolutionCase {
  std::vector<int64_t> input;
  std::vector<int64_t> weight;
  ConvolutionShape shape;
  bool has_bias = false;
  bool relu = false;

  [[nodiscard]] std::string text() const {
    std::string text = "input";
    for (int64_t size : input) text += " " + std::to_string(size);
    text += ", weight";
    for (int64_t size : weight) text += " " + std::to_string(size);
    return text + ", stride " + sides_text(shape.stride) + ", padding " +
           sides_text(shape.padding) + ", dilation " + sides_text(shape.dilation) + ", groups " +
           std::to_string(shape.groups) + (has_bias ? ", bias" : "") + (relu ? ", relu" : "");
  }
};

void expect_convolution(const ConvolutionCase& c, bool channels_last = false) {
  Convolution convolution(c.shape);
  at::manual_seed(11);
  at::Tensor input = at::randn(c.input);
  if (channels_last) input = input.contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor bias = c.has_bias ? at::randn({c.weight[0]}) : at::Tensor();
  expect_like_plain(
      [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
        return convolution.run(kernels, inputs[0], inputs[1], inputs[2], c.relu);
      },
      {input, at::randn(c.weight), bias}, c.text());
}

ConvolutionCase draw_case(ShapeDraw& draw) {
  const int64_t groups = draw(0, 3) == 0 ? draw(2, 4) : 1;
  // Square ones mostly: they have the most methods.
  const bool is_square = draw(0, 3) != 0;
  const auto sides = [&](int64_t from, int64_t to) {
    const int64_t height = draw(from, to);
    return Sides<2>(height, is_square ? height : draw(from, to));
  };
  const Sides<2> kernel = sides(1, 5);
  const ConvolutionShape shape = {sides(1, 3), sides(0, 2), draw(0, 4) == 0 ? sides(1, 2) : 1,
                                  groups};
  const auto length = [&](size_t side) {
    const int64_t window = shape.dilation[side] * (kernel[side] - 1) + 1;
    const int64_t least = std::max<int64_t>(1, window - 2 * shape.padding[side]);
    return draw(least, least + 9);
  };
  const int64_t in = draw(1, 20) * groups;
  const int64_t out = draw(1, 20) * groups;
  return {{draw(1, 4), in, length(0), length(1)},
          {out, in / groups, kernel[0], kernel[1]},
          shape,
          draw.flip(),
          draw.flip()};
}

// With the weight packed in the wanted order, or in `order`: bit by bit as with the ordinary
// weight. Whether there is such an order.
bool expect_same_when_packed(const ConvolutionCase& c, const WeightOrder* order = nullptr) {
  SCOPED_TRACE(c.text());
  Convolution convolution(c.shape);
  at::manual_seed(11);
  const at::Tensor input = at::randn(c.input);
  const at::Tensor weight = at::randn(c.weight);
  const at::Tensor bias = c.has_bias ? at::randn({c.weight[0]}) : at::Tensor();
  if (order == nullptr)
    order = convolution.wanted_order(Kernels::kFast, weight, {c.input[1], c.input[2], c.input[3]});
  if (order == nullptr) return false;
  const auto result = [&](bool is_packed) {
    return run_kernel(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          if (is_packed) pack_parameter(inputs[1], *order);
          return convolution.run(kernels, inputs[0], inputs[1], inputs[2], c.relu);
        },
        Kernels::kFast, {input, weight, bias}, at::kFloat);
  };
  const KernelResult ordinary = result(false);
  const KernelResult packed = result(true);
  EXPECT_TRUE(packed.output.equal(ordinary.output));
  EXPECT_TRUE(packed.gradients[0].equal(ordinary.gradients[0]));
  EXPECT_TRUE(order->is_order_of(packed.gradients[1]));
  EXPECT_TRUE(packed.gradients[1].reshape(c.weight).equal(ordinary.gradients[1]));
  if (c.has_bias) {
    EXPECT_TRUE(packed.gradients[2].equal(ordinary.gradients[2]));
  }
  return true;
}

class ConvolutionShapes : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, ConvolutionShapes, testing::Values(1, 2));

TEST_P(ConvolutionShapes, AreLikeLibTorchsWhenRandom) {
  ShapeDraw draw(1);
  for (int i = 0; i < 150; ++i) expect_convolution(draw_case(draw), draw.flip());
}

// The shapes of the networks that are measured, with smaller batches.
const std::vector<ConvolutionCase> kKnownShapes = {
    {{3, 1, 28, 28}, {20, 1, 5, 5}, {}, true, true},
    {{3, 20, 12, 12}, {50, 20, 5, 5}, {}, true, false},
    {{2, 3, 32, 32}, {16, 3, 3, 3}, {1, 1}},
    {{2, 16, 32, 32}, {16, 16, 3, 3}, {1, 1}},
    {{2, 16, 32, 32}, {32, 16, 3, 3}, {2, 1}},
    {{2, 16, 32, 32}, {32, 16, 1, 1}, {2, 0}},
    {{2, 64, 8, 8}, {64, 64, 3, 3}, {1, 1}},
    {{2, 3, 64, 64}, {64, 3, 7, 7}, {2, 3}},
    {{2, 64, 16, 16}, {64, 64, 3, 3}, {1, 1}},
    {{2, 256, 4, 4}, {256, 256, 3, 3}, {1, 1}},
    {{4, 512, 2, 2}, {512, 512, 3, 3}, {1, 1}},
    {{2, 32, 9, 9}, {32, 1, 3, 3}, {1, 1, 1, 32}},
    {{2, 96, 32, 32}, {96, 1, 3, 3}, {2, 1, 1, 96}},
    {{2, 96, 16, 16}, {96, 1, 7, 7}, {1, 3, 1, 96}, true},
    {{2, 768, 2, 2}, {768, 1, 7, 7}, {1, 3, 1, 768}, true},
    {{2, 64, 12, 12}, {64, 64, 1, 7}, {1, {0, 3}}},
    {{2, 64, 12, 12}, {64, 64, 7, 1}, {1, {3, 0}}},
    {{2, 32, 9, 8}, {32, 32, 3, 3}, {1, {1, 0}}},
};

TEST_P(ConvolutionShapes, AreLikeLibTorchsInKnownNetworks) {
  for (const ConvolutionCase& c : kKnownShapes) expect_convolution(c);
}

TEST_P(ConvolutionShapes, GiveTheSameBitsWithPackedWeights) {
  if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  int packed = 0;
  for (const ConvolutionCase& c : kKnownShapes) packed += expect_same_when_packed(c) ? 1 : 0;
  EXPECT_GE(packed, 8);
  ShapeDraw draw(3);
  for (int i = 0; i < 60; ++i) {
    ConvolutionCase c = draw_case(draw);
    // Channels in whole blocks, so that most can be packed.
    c.input[1] = draw(1, 3) * 16 * c.shape.groups;
    c.weight[0] = draw(1, 3) * 16 * c.shape.groups;
    c.weight[1] = c.input[1] / c.shape.groups;
    packed += expect_same_when_packed(c) ? 1 : 0;
  }
  EXPECT_GE(packed, 40);
}

// As when another batch size, or the plain kernels, want another order.
TEST_P(ConvolutionShapes, GiveTheSameBitsWithWeightsPackedForOthers) {
  const WeightOrder order = {{4, 8, 2, 8, 3, 3}, {1152, 1, 576, 8, 192, 64}};
  EXPECT_TRUE(expect_same_when_packed({{2, 16, 6, 6}, {32, 16, 3, 3}, {1, 1}}, &order));
  EXPECT_TRUE(expect_same_when_packed({{2, 16, 6, 6}, {32, 16, 3, 3}, {2, 2, 2}, true}, &order));
}

// The method with windows as rows, whatever the shape, with the weight ordinary or in its own
// order.
void expect_matrix_plan(const ConvolutionCase& c, int threads, bool is_packed) {
  SCOPED_TRACE(c.text() + (is_packed ? ", packed" : ""));
  at::manual_seed(11);
  const ConvolutionGeometry geometry = {c.input[0],  c.input[1],  c.input[2],  c.input[3],
                                        c.weight[0], c.weight[2], c.weight[3], c.shape,
                                        false,       false,       threads};
  const auto order = matrix_order(geometry);
  if (is_packed && !order) return;
  const auto method = matrix_method(geometry);
  const auto last = at::MemoryFormat::ChannelsLast;
  const at::Tensor input = at::randn(c.input).contiguous(last).set_requires_grad(true);
  const at::Tensor weight = at::randn(c.weight).set_requires_grad(true);
  const at::Tensor truth = Convolution(c.shape).run(Kernels::kPlain, input, weight, {});
  const at::Tensor flow = at::randn_like(truth).contiguous(last);
  truth.backward(flow);
  const at::Tensor used = weight.detach().clone();
  if (is_packed) pack_parameter(used, *order);
  const at::Tensor output = at::empty_like(truth, last);
  const at::Tensor by_input = at::empty_like(input, last);
  const at::Tensor by_weight = at::empty_like(used);
  method->forward(input.data_ptr<float>(), used, nullptr, output.data_ptr<float>());
  method->input_gradient(flow.data_ptr<float>(), used, by_input.data_ptr<float>());
  method->weight_gradient(flow.data_ptr<float>(), input.data_ptr<float>(), by_weight, nullptr);
  EXPECT_LT(relative_difference(output, truth.detach()), 2e-5);
  EXPECT_LT(relative_difference(by_input, input.grad()), 2e-5);
  EXPECT_LT(relative_difference(by_weight.reshape(c.weight), weight.grad()), 2e-5);
}

TEST_P(ConvolutionShapes, AreLikeLibTorchsWithWindowsAsRowsWhateverTheShape) {
  ShapeDraw draw(2);
  for (int i = 0; i < 60; ++i) {
    ConvolutionCase c = draw_case(draw);
    if (c.shape.groups != 1) continue;
    expect_matrix_plan(c, GetParam(), draw.flip());
  }
}

// Every channel by itself: odd and even numbers of channels, windows larger than the image,
// strides, and paddings beyond what a window needs.
ConvolutionCase draw_depthwise_case(ShapeDraw& draw) {
  const std::vector<int64_t> counts = {2, 7, 8, 16, 17, 33, 40};
  const int64_t channels = counts[static_cast<size_t>(draw(0, 6))];
  const int64_t kernel = draw(0, 2) == 0 ? draw(1, 9) : 3 + 2 * draw(0, 2);
  const bool is_square = draw(0, 3) != 0;
  const auto sides = [&](int64_t from, int64_t to) {
    const int64_t height = draw(from, to);
    return Sides<2>(height, is_square ? height : draw(from, to));
  };
  const ConvolutionShape shape = {sides(1, 3), sides(0, kernel / 2 + 1),
                                  draw(0, 4) == 0 ? sides(1, 2) : 1, channels};
  const auto length = [&](size_t side) {
    const int64_t window = shape.dilation[side] * (kernel - 1) + 1;
    const int64_t least = std::max<int64_t>(1, window - 2 * shape.padding[side]);
    return draw(least, least + 12);
  };
  return {{draw(1, 3), channels, length(0), length(1)},
          {channels, 1, kernel, kernel},
          shape,
          draw.flip(),
          draw.flip()};
}

TEST_P(ConvolutionShapes, AreLikeLibTorchsWithEveryChannelByItself) {
  ShapeDraw draw(4);
  for (int i = 0; i < 120; ++i) expect_convolution(draw_depthwise_case(draw), draw.flip());
}

// Also by the narrower vectors, where the machine would choose the wider ones.
TEST(DepthwiseKernels, OfBothWidthsAgree) {
  if (!has_wide_vector_unit()) GTEST_SKIP() << "needs AVX-512";
  at::manual_seed(12);
  const int64_t channels = 21;
  const at::Tensor input = at::randn({3, 9, channels});
  const at::Tensor weight = at::randn({3, 3, channels});
  const auto output = [&](const DepthwiseKernels& kernels) {
    const at::Tensor result = at::empty({7, channels});
    kernels.run(3, 1)({input.data_ptr<float>(),
                       9 * channels,
                       3,
                       weight.data_ptr<float>(),
                       7,
                       {nullptr, true},
                       result.data_ptr<float>()},
                      channels);
    return result;
  };
  EXPECT_TRUE(output(depthwise_kernels_avx2()).equal(output(depthwise_kernels_avx512())));
}

TEST(Convolution, NoticesThatItsWeightHasChanged) {
  Convolution convolution({});
  const at::Tensor input = at::randn({1, 4, 5, 5});
  at::Tensor weight = at::randn({8, 4, 3, 3});
  const at::Tensor before = convolution.run(Kernels::kFast, input, weight, {});
  weight.mul_(2);
  const at::Tensor after = convolution.run(Kernels::kFast, input, weight, {});
  EXPECT_LT(relative_difference(after, before.mul(2)), 1e-6);
}

// Memory that was given back is handed out again: a new weight lies where one was before.
TEST(Convolution, NoticesAnotherWeightInTheMemoryOfOneThatIsGone) {
  install_memory_cache();
  for (const int64_t channels : {3, 16, 32}) {
    Convolution convolution({});
    at::manual_seed(23);
    const at::Tensor input = at::randn({2, channels, 8, 8});
    const at::Tensor base = at::randn({channels, channels, 3, 3});
    const at::Tensor truth = convolution.run(Kernels::kPlain, input, base, {});
    for (const double times : {1, 2, 3}) {
      const at::Tensor output = convolution.run(Kernels::kFast, input, base.mul(times), {});
      EXPECT_LT(relative_difference(output, truth.mul(times)), 2e-5) << channels << " " << times;
    }
  }
  uninstall_memory_cache();
}

TEST(Convolution, TakesInputThatIsNotContiguous) {
  Convolution convolution({});
  const at::Tensor wide = at::randn({2, 6, 9, 14});
  const at::Tensor weight = at::randn({5, 6, 3, 3});
  const at::Tensor input = wide.transpose(2, 3).slice(2, 0, 14, 2);
  const at::Tensor truth = convolution.run(Kernels::kPlain, input, weight, {});
  EXPECT_LT(relative_difference(convolution.run(Kernels::kFast, input, weight, {}), truth), 2e-5);
}

TEST(Convolution, GivesNoGradientToAFrozenWeight) {
  Convolution convolution({});
  const at::Tensor input = at::randn({1, 4, 5, 5}).set_requires_grad(true);
  const at::Tensor weight = at::randn({8, 4, 3, 3});
  convolution.run(Kernels::kFast, input, weight, {}).sum().backward();
  EXPECT_TRUE(input.grad().defined());
  EXPECT_FALSE(weight.grad().defined());
}

}  // namespace
}  // namespace hearth
