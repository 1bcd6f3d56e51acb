// Batch norm, pools and residual blocks: gradients, statistics, names, and what they say.
#include <ATen/ops/conv2d.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "hearth/nn/blocks/bottleneck_block.h"
#include "hearth/nn/blocks/preactivation_block.h"
#include "hearth/nn/blocks/residual_block.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/average_pool2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"

namespace hearth {
namespace {

using testing::ElementsAre;

TEST(BatchNorm2d, GradientsMatchDifferences) {
  expect_gradients_of(layers::batch_norm2d(), {2, 3, 2});
  const auto layer = built(layers::batch_norm2d(), float_spec({2, 3, 2}));
  layer->set_training(false);
  expect_layer_gradients(*layer, random_batch({2, 3, 2}));
}

TEST(BatchNorm2d, HasTheNamesOfPyTorch) {
  const auto layer = built(layers::batch_norm2d(), float_spec({3, 4, 4}));
  EXPECT_THAT(names_of(layer->parameters()), ElementsAre("weight", "bias"));
  EXPECT_THAT(names_of(layer->buffers()),
              ElementsAre("running_mean", "running_var", "num_batches_tracked"));
}

TEST(BatchNorm2d, CountsAndRemembersOnlyWhileTraining) {
  const auto layer = built(layers::batch_norm2d(), float_spec({3, 4, 4}));
  const at::Tensor mean = layer->buffers()[0].second;
  const at::Tensor count = layer->buffers()[2].second;
  (void)(*layer)(random_batch({3, 4, 4}));
  const at::Tensor after_one = mean.clone();
  EXPECT_NE(after_one.abs().sum().item<double>(), 0);
  layer->set_training(false);
  (void)(*layer)(random_batch({3, 4, 4}));
  EXPECT_TRUE(mean.equal(after_one));
  EXPECT_EQ(count.item<int64_t>(), 1);
}

TEST(BatchNorm2d, TakesAReluAfterItOver) {
  const auto layer =
      built(layers::sequential({{layers::batch_norm2d(), layers::relu()}}), float_spec({3, 4, 4}));
  const auto alone = built(layers::batch_norm2d(), float_spec({3, 4, 4}));
  const at::Tensor input = random_batch({3, 4, 4});
  EXPECT_TRUE((*layer)(input).allclose((*alone)(input).clamp_min(0)));
}

TEST(BatchNorm2d, SaysWhichInputItNeeds) {
  EXPECT_EQ(build_fault(layers::batch_norm2d(), float_spec({4})),
            "net batch_norm2d: needs an image [C, H, W], but the input is float32 [B, 4]. Put it "
            "before flatten, or give the model a key that holds images.");
}

TEST(AveragePool2d, GradientsMatchDifferences) {
  expect_gradients_of(layers::average_pool2d({.kernel_size = 3, .stride = 2, .padding = 1}),
                      {2, 4, 5});
}

TEST(AveragePool2d, StepsByItsKernelUnlessToldOtherwise) {
  expect_spec(layers::average_pool2d(), {2, 5, 8}, {2, 2, 4});
  expect_spec(layers::average_pool2d({.kernel_size = 3, .stride = 1, .padding = 1}), {2, 5, 8},
              {2, 5, 8});
}

TEST(GlobalAveragePool, GradientsMatchDifferences) {
  expect_gradients_of(layers::global_average_pool(), {2, 3, 2});
}

TEST(GlobalAveragePool, LeavesOneNumberAChannel) {
  expect_spec(layers::global_average_pool(), {3, 4, 5}, {3});
}

TEST(ResidualBlock, GradientsMatchDifferences) {
  expect_gradients_of(layers::residual_block({.out_channels = 2}), {2, 3, 3});
  expect_gradients_of(layers::residual_block({.out_channels = 3, .stride = 2}), {2, 4, 4});
}

TEST(ResidualBlock, GoesAroundByAConvolutionOnlyWhenTheShapeChanges) {
  const auto same = built(layers::residual_block({.out_channels = 4}), float_spec({4, 6, 6}));
  EXPECT_THAT(names_of(same->parameters()), ElementsAre("conv1.weight", "bn1.weight", "bn1.bias",
                                                        "conv2.weight", "bn2.weight", "bn2.bias"));
  const auto other = built(layers::residual_block({.out_channels = 8}), float_spec({4, 6, 6}));
  EXPECT_EQ(names_of(other->parameters())[6], "downsample.0.weight");
  expect_spec(layers::residual_block({.out_channels = 4, .stride = 2}), {4, 7, 6}, {4, 4, 3});
}

// A listener changes the way it is computed, never what comes out.
void expect_same_with_hooks(const Choice<Layer>& choice, int relu_calls) {
  const auto fused = built(choice, float_spec({4, 6, 6}));
  const auto heard = built(choice, float_spec({4, 6, 6}));
  const auto plain = built(choice, float_spec({4, 6, 6}), {7, "net", 0, Kernels::kPlain});
  int calls = 0;
  for (auto& [name, child] : heard->children()) {
    if (name == "relu") child->add_hook_after([&](const Layer&, at::Tensor&) { ++calls; });
  }
  const at::Tensor input = random_batch({4, 6, 6});
  const at::Tensor output = (*fused)(input);
  EXPECT_TRUE((*heard)(input).allclose(output, 1e-4, 1e-5));
  EXPECT_TRUE((*plain)(input).allclose(output, 1e-4, 1e-5));
  EXPECT_GE(output.min().item<double>(), 0);
  EXPECT_EQ(calls, relu_calls);
}

TEST(ResidualBlock, GivesTheSameWhenSomeoneListensToItsRelu) {
  expect_same_with_hooks(layers::residual_block({.out_channels = 8, .stride = 2}), 2);
  expect_same_with_hooks(layers::bottleneck_block({.channels = 1}), 3);
}

// By hand, with batch norms that have seen nothing.
at::Tensor preactivated(const Layer& layer, const at::Tensor& input, int64_t stride) {
  std::map<std::string, at::Tensor> weights;
  for (const auto& [name, tensor] : layer.parameters()) weights[name] = tensor.detach();
  const auto normalized = [](const at::Tensor& value) { return value.div(std::sqrt(1 + 1e-5)); };
  const at::Tensor first = normalized(input).relu();
  const at::Tensor middle =
      normalized(at::conv2d(first, weights.at("conv1.weight"), {}, stride, 1)).relu();
  const at::Tensor change = at::conv2d(middle, weights.at("conv2.weight"), {}, 1, 1);
  const auto around = weights.find("downsample.weight");
  return around == weights.end() ? change.add(input)
                                 : change.add(at::conv2d(first, around->second, {}, stride));
}

TEST(PreactivationBlock, AddsToItsInputAsItIsUnlessTheShapeChanges) {
  const at::Tensor input = random_batch({4, 6, 5});
  for (const auto& [out, stride] : {std::pair<int64_t, int64_t>{4, 1}, {6, 1}, {4, 2}}) {
    const auto layer = built(layers::preactivation_block({.out_channels = out, .stride = stride}),
                             float_spec({4, 6, 5}));
    layer->set_training(false);
    EXPECT_TRUE((*layer)(input).allclose(preactivated(*layer, input, stride), 1e-4, 1e-5))
        << out << " " << stride;
  }
}

TEST(BottleneckBlock, GradientsMatchDifferences) {
  expect_gradients_of(layers::bottleneck_block({.channels = 1}), {4, 3, 3});
  expect_gradients_of(layers::bottleneck_block({.channels = 1, .stride = 2}), {2, 4, 4});
}

TEST(BottleneckBlock, GivesFourTimesItsChannels) {
  expect_spec(layers::bottleneck_block({.channels = 2, .stride = 2}), {3, 6, 6}, {8, 3, 3});
}

}  // namespace
}  // namespace hearth
