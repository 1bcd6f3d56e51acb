// Every simple layer: gradients, output specs, and what it says when its input does not fit.
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"

namespace hearth {
namespace {

TEST(Linear, GradientsMatchDifferences) {
  expect_gradients_of(layers::linear({.out_features = 4}), {3});
  expect_gradients_of(layers::linear({.out_features = 2, .bias = false}), {2, 3});
}

TEST(Linear, WorksOnFeaturesAndOnSequencesOfThem) {
  expect_spec(layers::linear({.out_features = 4}), {3}, {4});
  expect_spec(layers::linear({.out_features = 4}), {6, 3}, {6, 4});
}

TEST(Linear, TakesItsSizeFromTheDataWhenLeftOut) {
  const auto layer = built(layers::linear(), float_spec({3}), {7, "net", 10});
  EXPECT_EQ(layer->output_spec().shape, std::vector<int64_t>{10});
  EXPECT_EQ(layer->output_spec().classes, 10);
  EXPECT_EQ(build_fault(layers::linear(), float_spec({3})),
            "net linear: the number of classes is not known, the data names none. Set the option "
            "out_features.");
}

TEST(Linear, AsksForFlattenBeforeIt) {
  EXPECT_EQ(build_fault(layers::linear({.out_features = 4}), float_spec({1, 8, 8})),
            "net linear: needs features [F] or a sequence of them [T, F], but the input is float32 "
            "[B, 1, 8, 8]. Put flatten before it.");
}

TEST(Conv2d, GradientsMatchDifferences) {
  expect_gradients_of(layers::conv2d({.out_channels = 2}), {2, 5, 4});
  expect_gradients_of(
      layers::conv2d(
          {.out_channels = 2, .kernel_size = 2, .stride = 2, .padding = 1, .bias = false}),
      {1, 4, 4});
}

TEST(Conv2d, SaysWhatComesOut) {
  expect_spec(layers::conv2d({.out_channels = 6, .kernel_size = 5}), {1, 28, 20}, {6, 24, 16});
  expect_spec(layers::conv2d({.out_channels = 6, .kernel_size = 3, .stride = 2, .padding = 1}),
              {3, 8, 9}, {6, 4, 5});
}

TEST(Conv2d, ScoresEveryPointForTheClassesOfTheData) {
  const auto layer =
      built(layers::conv2d({.kernel_size = 1}), float_spec({4, 5, 6}), {7, "net", 3});
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 3, 5, 6], 3 classes");
}

TEST(Conv2d, SaysWhichInputItNeeds) {
  const auto flat = layers::sequential({{layers::flatten(), layers::conv2d({.out_channels = 2})}});
  EXPECT_EQ(build_fault(flat, float_spec({1, 8, 8})),
            "net.1 conv2d: needs an image [C, H, W], but the input is float32 [B, 64]. Put it "
            "before flatten, or give the model a key that holds images.");
  EXPECT_EQ(build_fault(layers::conv2d({.out_channels = 2, .kernel_size = 5, .padding = 1}),
                        float_spec({1, 2, 8})),
            "net conv2d: needs at least 5 points along a side, padding included, but the input is "
            "float32 [B, 1, 2, 8]. Use a smaller kernel, more padding, or fewer layers that shrink "
            "it.");
}

TEST(Conv2d, AsksForFloat32) {
  Spec bytes = float_spec({1, 8, 8});
  bytes.dtype = DType::kUint8;
  EXPECT_EQ(build_fault(layers::conv2d({.out_channels = 2}), bytes),
            "net conv2d: needs float32 values for each sample, but the input is uint8 "
            "[B, 1, 8, 8]. Turn the key into float32 in data.ops, for instance with normalize.");
}

TEST(Conv2d, DrawsFirstWeightsByTheValuesThatGoOutWhenAsked) {
  const auto layer = built(layers::conv2d({.out_channels = 64, .init = "kaiming_fan_out"}),
                           float_spec({32, 8, 8}));
  const at::Tensor weight = layer->parameters()[0].second;
  EXPECT_NEAR(weight.mean().item<double>(), 0, 0.002);
  EXPECT_NEAR(weight.std().item<double>(), std::sqrt(2.0 / (64 * 9)), 0.001);
}

TEST(MaxPool2d, GradientsMatchDifferences) { expect_gradients_of(layers::max_pool2d(), {2, 4, 5}); }

TEST(MaxPool2d, StepsByItsKernelUnlessToldOtherwise) {
  expect_spec(layers::max_pool2d(), {2, 5, 8}, {2, 2, 4});
  expect_spec(layers::max_pool2d({.kernel_size = 3, .stride = 1}), {2, 5, 8}, {2, 3, 6});
}

TEST(Relu, GradientsMatchDifferences) { expect_gradients_of(layers::relu(), {3, 4}); }

TEST(Relu, KeepsPositiveValues) {
  const auto layer = built(layers::relu(), float_spec({2}));
  EXPECT_TRUE((*layer)(at::tensor({-1.F, 2.F})).equal(at::tensor({0.F, 2.F})));
}

TEST(Flatten, GradientsMatchDifferences) { expect_gradients_of(layers::flatten(), {2, 3}); }

TEST(Flatten, PutsASampleInOneRow) { expect_spec(layers::flatten(), {2, 3, 4}, {24}); }

TEST(Dropout, GradientsMatchDifferences) { expect_gradients_of(layers::dropout({0.4}), {3, 5}); }

TEST(Dropout, KeepsTheMeanWhileTraining) {
  const auto layer = built(layers::dropout({0.25}), float_spec({10000}));
  const at::Tensor output = (*layer)(random_batch({10000}).fill_(1));
  EXPECT_NEAR(output.mean().item<double>(), 1, 0.02);
  EXPECT_NEAR(output.eq(0).to(at::kDouble).mean().item<double>(), 0.25, 0.02);
}

TEST(Sequential, GradientsMatchDifferences) {
  expect_gradients_of(
      layers::sequential({{layers::linear({.out_features = 4}), layers::relu(), layers::linear()}}),
      {3});
}

TEST(Sequential, SaysWhatItsLastLayerGives) {
  expect_spec(layers::sequential(
                  {{layers::conv2d({.out_channels = 2}), layers::max_pool2d(), layers::flatten()}}),
              {1, 8, 8}, {18});
}

}  // namespace
}  // namespace hearth
