// Convolutions, pools, norms and dropouts on grids: what parity with PyTorch does not show.
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/convolution/conv1d.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/convolution/conv_transpose2d.h"
#include "hearth/nn/layers/convolution/separable_conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm1d.h"
#include "hearth/nn/layers/normalization/group_norm.h"
#include "hearth/nn/layers/normalization/spectral_norm.h"
#include "hearth/nn/layers/normalization/weight_norm.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/layers/pooling/attention_pool.h"
#include "hearth/nn/layers/pooling/blur_pool.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/regularization/drop_path.h"

namespace hearth {
namespace {

using testing::ElementsAre;

TEST(Conv2d, TakesWindowsOfAnySides) {
  expect_spec(layers::conv2d({.out_channels = 4, .kernel_size = {1, 7}, .padding = {0, 3}}),
              {3, 5, 9}, {4, 5, 9});
  expect_spec(layers::conv2d({.out_channels = 4, .kernel_size = {2, 4}, .padding = kSamePadding}),
              {3, 5, 9}, {4, 5, 9});
}

TEST(Conv2d, SaysThatSameNeedsStrideOne) {
  try {
    (void)registry<Layer>().make(
        layers::conv2d({.out_channels = 4, .stride = 2, .padding = kSamePadding}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "padding: same needs stride 1; say how many zeros to add instead.");
  }
}

TEST(Conv1d, TakesLinesWhoseLengthIsNotKnown) {
  const auto layer = built(layers::conv1d({.out_channels = 4}), float_spec({3, kAnyLength}));
  EXPECT_THAT(layer->output_spec().shape, ElementsAre(4, kAnyLength));
  EXPECT_EQ((*layer)(random_batch({3, 9})).size(2), 7);
}

TEST(Conv1d, SaysHowASequenceBecomesALine) {
  EXPECT_EQ(build_fault(layers::conv1d({.out_channels = 4}), float_spec({4})),
            "net conv1d: needs channels along a line [C, L], but the input is float32 [B, 4]. A "
            "sequence [T, D] becomes [D, T] with permute: {dims: [1, 0]}.");
}

TEST(ConvTranspose2d, CountsItsWork) {
  const auto layer = built(layers::conv_transpose2d({.out_channels = 6, .stride = 2, .groups = 2}),
                           float_spec({4, 5, 3}));
  // Each of 4 * 5 * 3 values goes into 3 channels' windows of 3 * 3.
  EXPECT_EQ(layer->work(), 4 * 5 * 3 * 3 * 9);
}

TEST(SeparableConv2d, NamesItsHalves) {
  const auto layer = built(layers::separable_conv2d({.out_channels = 6}), float_spec({4, 5, 3}));
  EXPECT_THAT(names_of(layer->parameters()),
              ElementsAre("depthwise.weight", "pointwise.weight", "pointwise.bias"));
}

TEST(MaxPool2d, LetsALastWindowEndBeyondTheBorder) {
  expect_spec(layers::max_pool2d({.kernel_size = 3, .stride = 2, .ceil_mode = true}), {2, 6, 7},
              {2, 3, 3});
  expect_spec(layers::max_pool2d({.kernel_size = {1, 2}, .stride = Sides<2>(1, 2)}), {2, 6, 7},
              {2, 6, 3});
}

TEST(AdaptivePool, TakesImagesOfAnySize) {
  const auto layer =
      built(layers::adaptive_average_pool2d({.size = {2, 3}}), float_spec({2, 5, 6}));
  EXPECT_EQ((*layer)(random_batch({2, 8, 7})).sizes().vec(), (std::vector<int64_t>{2, 2, 2, 3}));
}

TEST(GroupNorm, SaysThatGroupsMustFit) {
  EXPECT_EQ(build_fault(layers::group_norm({.groups = 3}), float_spec({4, 2, 2})),
            "net group_norm: needs channels that 3 groups share evenly, but the input is float32 "
            "[B, 4, 2, 2]. Change groups.");
}

TEST(BatchNorm1d, TakesFeaturesAndLines) {
  expect_spec(layers::batch_norm1d(), {3}, {3});
  expect_spec(layers::batch_norm1d(), {3, 5}, {3, 5});
}

TEST(WeightNorm, StartsWithTheLayersOwnWeight) {
  const auto choice = layers::linear({.out_features = 3});
  const auto plain = built(choice, float_spec({4}));
  const auto layer = built(layers::weight_norm({.layer = choice}), float_spec({4}));
  EXPECT_THAT(names_of(layer->parameters()), ElementsAre("bias", "weight_g", "weight_v"));
  const at::Tensor input = random_batch({4});
  EXPECT_TRUE((*layer)(input).allclose((*plain)(input)));
  EXPECT_EQ(layer->work(), plain->work());
}

// The weight is computed for each call; the graph of the first one must not see the second.
TEST(WeightNorm, LearnsFromSeveralCallsInOneGraph) {
  const auto shared = layers::weight_norm({.layer = layers::linear({.out_features = 4})});
  expect_gradients_of(layers::graph({.nodes = {named(shared, "first"), layers::relu(),
                                               layers::use({.layer = "first"})}}),
                      {4});
}

TEST(WeightNorm, FollowsWhatItLearns) {
  const auto layer =
      built(layers::weight_norm({.layer = layers::conv2d({.out_channels = 16, .padding = 1})}),
            float_spec({16, 6, 6}));
  const at::Tensor input = random_batch({16, 6, 6});
  const at::Tensor before = (*layer)(input);
  before.sum().backward();
  {
    const c10::AutoGradMode no_grad(false);
    for (const auto& [name, tensor] : layer->parameters()) {
      EXPECT_TRUE(tensor.grad().defined()) << name;
      if (name == "weight_g") tensor.mul_(2);
      if (name == "bias") tensor.zero_();
    }
    const at::Tensor bias = before.sub((*layer)(input).div(2));
    EXPECT_LT(bias.std({0, 2, 3}).max().item<double>(), 1e-5);
  }
}

TEST(WeightNorm, SaysWhatTheLayerHas) {
  EXPECT_EQ(build_fault(layers::weight_norm({.layer = layers::relu()}), float_spec({4})),
            "net weight_norm: the layer inside, relu, has no parameter 'weight'.");
  EXPECT_EQ(
      build_fault(layers::weight_norm({.layer = layers::linear({.out_features = 2}), .dim = 2}),
                  float_spec({4})),
      "net weight_norm: dim is 2, but 'weight' of linear has 2 dimensions, from 0 on.");
}

TEST(SpectralNorm, BringsTheLargestSingularValueToOne) {
  const auto layer =
      built(layers::spectral_norm({.layer = layers::linear({.out_features = 3, .bias = false}),
                                   .n_power_iterations = 100}),
            float_spec({4}));
  const at::Tensor weight = (*layer)(at::eye(4)).t();
  EXPECT_NEAR(at::linalg_svdvals(weight).max().item<double>(), 1, 1e-5);
}

TEST(AttentionPool, LeavesOutWhatTheMaskHides) {
  const auto layer = registry<Layer>().make(layers::attention_pool());
  const std::vector<Spec> specs = {float_spec({3, 4}), float_spec({3})};
  (void)layer->build(specs, {7, "net", 0});
  const at::Tensor sequence = random_batch({3, 4});
  const at::Tensor mask = at::tensor({1.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F}).reshape({2, 3});
  const std::vector<at::Tensor> inputs = {sequence, mask};
  at::Tensor output;
  (*layer)(inputs, std::span(&output, 1));
  EXPECT_TRUE(output[0].allclose((*layer)(sequence.narrow(1, 0, 2))[0]));
  EXPECT_EQ(output[1].abs().sum().item<double>(), 0);
}

TEST(BlurPool, KeepsWhatIsEverywhereTheSame) {
  const auto layer = built(layers::blur_pool({.kernel_size = 5}), float_spec({2, 6, 7}));
  EXPECT_TRUE((*layer)(at::ones({1, 2, 6, 7})).allclose(at::ones({1, 2, 3, 4})));
  EXPECT_EQ(layer->parameters().size(), 0U);
}

TEST(DropPath, DropsWholeSamplesWhileTraining) {
  const auto layer = built(layers::drop_path({.p = 0.5}), float_spec({3, 4}));
  at::manual_seed(5);
  const at::Tensor output = (*layer)(at::ones({64, 3, 4}));
  const at::Tensor sums = output.flatten(1).sum(1);
  EXPECT_TRUE(sums.eq(0).logical_or(sums.eq(24)).all().item<bool>());
  EXPECT_GT(sums.eq(0).sum().item<int64_t>(), 16);
  EXPECT_GT(sums.eq(24).sum().item<int64_t>(), 16);
  layer->set_training(false);
  EXPECT_TRUE((*layer)(at::ones({2, 3, 4})).equal(at::ones({2, 3, 4})));
}

}  // namespace
}  // namespace hearth
