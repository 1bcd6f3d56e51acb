// Gradients of the fast kernels against differences of the plain ones in double.
#include "hearth/kernels/slope_check.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/rand.h>

#include "hearth/kernels/attention/attention.h"
#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/normalization/batch_norm.h"
#include "hearth/kernels/pooling/max_pool.h"
#include "hearth/kernels/product/linear.h"

namespace hearth {
namespace {

struct MethodKind {
  std::string name;
  ConvolutionMethodPointer (*make)(const ConvolutionGeometry&);
  int tried = 0;
};

void expect_method_slopes(ConvolutionMethod& method) {
  const ConvolutionGeometry& g = method.geometry();
  const auto last = at::MemoryFormat::ChannelsLast;
  const at::Tensor input = at::randn({g.batch, g.in, g.height, g.width}).contiguous(last);
  const at::Tensor weight =
      at::randn({g.out, g.in / g.shape.groups, g.kernel_height, g.kernel_width});
  const at::Tensor flow =
      at::randn({g.batch, g.out, g.out_height(), g.out_width()}).contiguous(last);
  const at::Tensor by_input = at::empty_like(input, last);
  const at::Tensor by_weight = at::empty_like(weight);
  method.input_gradient(flow.data_ptr<float>(), weight, by_input.data_ptr<float>());
  method.weight_gradient(flow.data_ptr<float>(), input.data_ptr<float>(), by_weight, nullptr);
  Convolution convolution(g.shape);
  expect_slopes(
      [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
        return convolution.run(kernels, inputs[0], inputs[1], {});
      },
      {input, weight}, {by_input, by_weight}, flow, 1e-5);
}

TEST(Slope, OfEveryMethodOfAConvolutionIsThatOfDifferences) {
  std::vector<MethodKind> kinds = {{"oneDNN", onednn_method},
                                   {"matrix", matrix_method},
                                   {"Winograd", winograd_method},
                                   {"depthwise", depthwise_method}};
  for (const ConvolutionGeometry& geometry : std::vector<ConvolutionGeometry>{
           {2, 3, 9, 8, 5, 3, 3, {1, 1}},
           {2, 16, 8, 8, 16, 3, 3, {1, 1}},
           {3, 32, 9, 7, 40, 3, 3, {1, 1}},
           {2, 64, 5, 6, 32, 3, 3, {1, 0}},
           {1, 40, 6, 6, 32, 3, 3, {1, 2}},
           {2, 16, 9, 9, 32, 3, 3, {2, 1}},
           {2, 32, 8, 8, 16, 1, 1, {2, 0}},
           {2, 8, 12, 11, 24, 5, 5, {1, 2, 2}},
           {2, 17, 9, 8, 17, 3, 3, {1, 1, 1, 17}},
           {2, 8, 9, 7, 8, 5, 5, {2, 2, 1, 8}},
           {1, 7, 5, 12, 7, 7, 7, {3, 4, 2, 7}},
       }) {
    for (MethodKind& kind : kinds) {
      at::manual_seed(31);
      const ConvolutionMethodPointer method = kind.make(geometry);
      if (!method) continue;
      SCOPED_TRACE(kind.name + ", channels " + std::to_string(geometry.in));
      ++kind.tried;
      expect_method_slopes(*method);
    }
  }
  for (const MethodKind& kind : kinds) EXPECT_GE(kind.tried, 3) << kind.name;
}

TEST(Slope, OfAConvolutionWithBiasAndReluIsThatOfDifferences) {
  for (const int64_t channels : {3, 16, 32}) {
    at::manual_seed(32);
    Convolution convolution({1, 1});
    expect_fast_slopes(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return convolution.run(kernels, inputs[0], inputs[1], inputs[2], true);
        },
        {at::randn({2, channels, 7, 6}), at::randn({channels, channels, 3, 3}),
         at::randn({channels})},
        "channels " + std::to_string(channels));
  }
}

void expect_batch_norm_slopes(int64_t channels, bool is_training, bool adds, bool relu) {
  at::manual_seed(33);
  const at::Tensor mean = at::randn({channels});
  const at::Tensor variance = at::rand({channels}).add(0.5);
  const std::vector<int64_t> shape = {3, channels, 5, 4};
  expect_fast_slopes(
      [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
        const auto type = inputs[0].scalar_type();
        return batch_norm(
            kernels, inputs[0],
            {inputs[1], inputs[2], mean.to(type, false, true), variance.to(type, false, true)},
            {is_training}, inputs[3], relu);
      },
      {at::randn(shape), at::randn({channels}), at::randn({channels}),
       adds ? at::randn(shape) : at::Tensor()},
      "channels " + std::to_string(channels) + (is_training ? " training" : " evaluation") +
          (adds ? " adds" : "") + (relu ? " relu" : ""));
}

TEST(Slope, OfBatchNormWithEveryTailIsThatOfDifferences) {
  for (const int64_t channels : {3, 16})
    for (const bool is_training : {true, false})
      for (const bool adds : {true, false})
        for (const bool relu : {true, false})
          expect_batch_norm_slopes(channels, is_training, adds, relu);
}

TEST(Slope, OfLinearIsThatOfDifferences) {
  for (const int64_t size : {5, 16, 67})
    for (const bool has_bias : {true, false})
      for (const bool relu : {true, false}) {
        at::manual_seed(34);
        expect_fast_slopes(
            [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
              return linear_product(kernels, inputs[0], inputs[1], inputs[2], {}, relu);
            },
            {at::randn({2, 9, size}), at::randn({size + 3, size}),
             has_bias ? at::randn({size + 3}) : at::Tensor()},
            "size " + std::to_string(size) + (has_bias ? " bias" : "") + (relu ? " relu" : ""));
      }
}

TEST(Slope, OfMaxPoolIsThatOfDifferences) {
  using Shape = PoolShape<2>;
  for (const Shape& shape : {Shape{2, 2}, Shape{3, 2, 1}, Shape{3, 1, 1}, Shape{3, 2, 0, 1, true}})
    for (const bool relu : {true, false}) {
      at::manual_seed(35);
      expect_fast_slopes(
          [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
            return max_pool(kernels, inputs[0], shape, relu);
          },
          {at::randn({2, 11, 8, 7})},
          "kernel " + std::to_string(shape.kernel[0]) + " stride " +
              std::to_string(shape.stride[0]) + (relu ? " relu" : ""));
    }
}

at::Tensor last_places_hidden(int64_t batch, int64_t length) {
  at::Tensor mask = at::empty({batch, length}, at::kBool).fill_(false);
  mask[0].slice(0, length - 2).fill_(true);
  return mask;
}

TEST(Slope, OfAttentionIsThatOfDifferences) {
  for (const int64_t heads : {1, 3})
    for (const int64_t length : {4, 17})
      for (const bool is_causal : {true, false})
        for (const bool has_mask : {true, false}) {
          at::manual_seed(36);
          const at::Tensor mask = has_mask ? last_places_hidden(2, length) : at::Tensor();
          expect_fast_slopes(
              [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
                return attention(kernels, inputs[0], {heads, is_causal}, mask);
              },
              {at::randn({2, length, 3 * heads * 8})},
              "heads " + std::to_string(heads) + " length " + std::to_string(length) +
                  (is_causal ? " causal" : "") + (has_mask ? " mask" : ""));
        }
}

// Which weights are dropped is each path's own business, but the backward pass must drop the same:
// the output is linear in the values, so their gradient times them is the output's weighted sum.
TEST(Slope, OfAttentionWithDropoutIsOfWhatWasNotDropped) {
  at::manual_seed(37);
  const int64_t width = 16;
  const at::Tensor packed = at::randn({2, 9, 3 * width}).set_requires_grad(true);
  const at::Tensor output = attention(Kernels::kFast, packed, {2, true, 0.4}, {});
  const at::Tensor weights = at::randn(output.sizes());
  output.backward(weights);
  const double sum = inner_product(output.detach(), weights);
  const at::Tensor by_values = packed.grad().slice(2, 2 * width);
  EXPECT_NEAR(inner_product(by_values, packed.detach().slice(2, 2 * width)), sum,
              1e-5 * by_values.norm().item<double>());
}

}  // namespace
}  // namespace hearth
