// Batch norm, linear and max-pool kernels beside LibTorch's, over many shapes.
#include <gmock/gmock.h>

#include <limits>

#include "hearth/base/error.h"
#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/loss/cross_entropy.h"
#include "hearth/kernels/normalization/batch_norm.h"
#include "hearth/kernels/pooling/max_pool.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/kernels/slope_check.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>

namespace hearth {
namespace {

void expect_batch_norm(const std::vector<int64_t>& shape, bool is_training, bool adds, bool relu) {
  const int64_t channels = shape[1];
  at::manual_seed(13);
  // A mean far from zero: the variance must not be eaten by it.
  const at::Tensor input = at::randn(shape).mul(0.5).add(7);
  const at::Tensor mean = at::randn({channels});
  const at::Tensor variance = at::randn({channels}).square().add(0.5);
  at::Tensor moved_mean;
  at::Tensor moved_variance;
  const std::string what = "channels " + std::to_string(channels) +
                           (is_training ? " training" : " evaluation") + (adds ? " adds" : "") +
                           (relu ? " relu" : "");
  expect_like_plain(
      [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
        const auto type = inputs[0].scalar_type();
        const BatchNormTensors tensors = {inputs[1], inputs[2], mean.to(type, false, true),
                                          variance.to(type, false, true)};
        const at::Tensor output =
            batch_norm(kernels, inputs[0], tensors, {is_training, 0.1, 1e-5}, inputs[3], relu);
        if (kernels == Kernels::kPlain) {
          moved_mean = tensors.running_mean;
          moved_variance = tensors.running_var;
        } else {
          EXPECT_LT(relative_difference(tensors.running_mean, moved_mean), 1e-6) << what;
          EXPECT_LT(relative_difference(tensors.running_var, moved_variance), 1e-5) << what;
        }
        return output;
      },
      {input, at::randn({channels}), at::randn({channels}), adds ? at::randn(shape) : at::Tensor()},
      what, 2e-4);
}

class LayerKernels : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, LayerKernels, testing::Values(1, 2));

TEST_P(LayerKernels, BatchNormIsLikeLibTorchsOnRandomShapesWithAndWithoutItsTail) {
  ShapeDraw draw(3);
  for (int i = 0; i < 100; ++i) {
    expect_batch_norm({draw(2, 4), draw(1, 70), draw(1, 9), draw(1, 9)}, draw.flip(), draw.flip(),
                      draw.flip());
  }
}

const std::vector<Activation> kActivations = {Activation::kRelu6, Activation::kSilu,
                                              Activation::kHardswish};

KernelRun activated_batch_norm(int64_t channels, bool is_training, Activation activation) {
  return [=](Kernels kernels, const std::vector<at::Tensor>& inputs) {
    const auto options = inputs[0].options();
    const BatchNormTensors tensors = {inputs[1], inputs[2], at::zeros({channels}, options),
                                      at::ones({channels}, options)};
    return batch_norm(kernels, inputs[0], tensors, {is_training}, {}, false, activation);
  };
}

TEST_P(LayerKernels, BatchNormIsLikeLibTorchsWithTheActivationAfterIt) {
  ShapeDraw draw(11);
  for (int i = 0; i < 60; ++i) {
    at::manual_seed(14 + i);
    const int64_t channels = draw(1, 70);
    expect_like_plain(
        activated_batch_norm(channels, draw.flip(), kActivations[static_cast<size_t>(i % 3)]),
        {at::randn({draw(2, 4), channels, draw(1, 9), draw(1, 9)}).mul(2), at::randn({channels}),
         at::randn({channels})},
        std::to_string(channels) + " channels", 2e-4);
  }
}

TEST(BatchNorm, WithAnActivationHasTheSlopesOfDifferences) {
  for (const Activation activation : kActivations)
    for (const bool is_training : {true, false}) {
      at::manual_seed(15);
      expect_fast_slopes(activated_batch_norm(11, is_training, activation),
                         {at::randn({3, 11, 3, 4}), at::randn({11}), at::randn({11})},
                         is_training ? "training" : "evaluation");
    }
}

TEST_P(LayerKernels, LinearIsLikeLibTorchsOnRandomShapes) {
  ShapeDraw draw(4);
  for (int i = 0; i < 160; ++i) {
    at::manual_seed(17);
    // Long rows go another way than short ones, and so do many rows.
    const int64_t in = i % 4 == 0 ? draw(250, 300) : draw(1, 70);
    const int64_t out = draw(1, 70);
    const bool relu = draw.flip();
    std::vector<int64_t> shape = {i % 8 == 0 ? draw(100, 300) : draw(1, 40), in};
    if (draw.flip()) shape.insert(shape.begin(), draw(1, 3));
    std::vector<int64_t> result = shape;
    result.back() = out;
    expect_like_plain(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return linear_product(kernels, inputs[0], inputs[1], inputs[2], inputs[3], relu);
        },
        {at::randn(shape), at::randn({out, in}), draw.flip() ? at::randn({out}) : at::Tensor(),
         draw.flip() ? at::randn(result) : at::Tensor()},
        "in " + std::to_string(in) + " out " + std::to_string(out) + (relu ? " relu" : ""));
  }
}

TEST(Linear, TakesInputThatIsNotContiguous) {
  const at::Tensor input = at::randn({7, 12}).t();
  const at::Tensor weight = at::randn({5, 14}).slice(1, 0, 14, 2);
  const at::Tensor truth = linear_product(Kernels::kPlain, input, weight, {});
  EXPECT_LT(relative_difference(linear_product(Kernels::kFast, input, weight, {}), truth), 2e-5);
}

TEST(Linear, GivesABiasItsGradientBesideAFrozenWeight) {
  const at::Tensor input = at::randn({6, 4}).set_requires_grad(true);
  const at::Tensor weight = at::randn({3, 4});
  const at::Tensor bias = at::randn({3}).set_requires_grad(true);
  linear_product(Kernels::kFast, input, weight, bias).sum().backward();
  EXPECT_TRUE(bias.grad().eq(6).all().item<bool>()) << bias.grad();
  EXPECT_FALSE(weight.grad().defined());
}

TEST(Linear, RefusesGradientsOfGradients) {
  if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  const at::Tensor input = at::randn({3, 4}).set_requires_grad(true);
  const at::Tensor weight = at::randn({2, 4}).set_requires_grad(true);
  const at::Tensor loss = linear_product(Kernels::kFast, input, weight, {}).square().sum();
  EXPECT_THROW((void)torch::autograd::grad({loss}, {input}, {}, true, true), GraphError);
}

TEST_P(LayerKernels, ClassLossIsLikeLibTorchsForRowsSequencesAndPicturesWithIgnoredLabels) {
  ShapeDraw draw(6);
  for (int i = 0; i < 60; ++i) {
    at::manual_seed(29 + i);
    const int64_t classes = draw(2, 70);
    std::vector<int64_t> places = {draw(1, 90)};
    for (int64_t more = draw(0, 2); more > 0; --more) places.push_back(draw(1, 9));
    at::Tensor labels = at::randint(classes, places, at::kLong);
    if (labels.numel() > 1 && draw.flip()) labels.view({-1})[0] = -100;
    std::vector<int64_t> shape = places;
    shape.push_back(classes);
    expect_like_plain(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return class_loss(kernels, inputs[0].movedim(-1, 1), labels, 0);
        },
        {at::randn(shape).mul(3)}, "classes " + std::to_string(classes));
  }
}

TEST(ClassLoss, LeavesUnknownLabelsToLibTorchsError) {
  const at::Tensor labels = at::randint(7, 8, {3}, at::kLong);
  EXPECT_THROW((void)class_loss(Kernels::kFast, at::randn({3, 5}), labels, 0), std::exception);
}

TEST_P(LayerKernels, MaxPoolIsLikeLibTorchsOnRandomShapes) {
  ShapeDraw draw(5);
  for (int i = 0; i < 120; ++i) {
    at::manual_seed(19);
    const int64_t kernel = draw(1, 4);
    const PoolShape<2> shape = {kernel, draw(1, 4), draw(0, kernel / 2), 1, draw.flip()};
    const bool relu = draw.flip();
    const at::Tensor input =
        at::randn({draw(1, 3), draw(1, 20), draw(kernel, 12), draw(kernel, 12)});
    expect_like_plain(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return max_pool(kernels, inputs[0], shape, relu);
        },
        {input},
        "kernel " + std::to_string(kernel) + " stride " + std::to_string(shape.stride[0]) +
            " padding " + std::to_string(shape.padding[0]) + (shape.ceil_mode ? " ceil" : "") +
            (relu ? " relu" : ""));
  }
}

TEST(MaxPool, TakesTheFirstOfEqualValuesAndKeepsWhatIsNotANumber) {
  const at::Tensor equal = at::ones({1, 9, 4, 4}).set_requires_grad(true);
  max_pool(Kernels::kFast, equal, {2, 2, 0}).sum().backward();
  EXPECT_EQ(equal.grad().sum().item<double>(), 36);
  EXPECT_EQ(equal.grad()[0][8][0][0].item<double>(), 1);
  at::Tensor odd = at::zeros({1, 9, 2, 2});
  odd[0][3][0][1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(max_pool(Kernels::kFast, odd, {2, 2, 0}).isnan().any().item<bool>());
}

}  // namespace
}  // namespace hearth
