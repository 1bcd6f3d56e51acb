// How exact fast kernels are where digits are easily lost: their error against float64 beside that
// of the plain path in float32.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "hearth/kernels/attention/attention.h"
#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/loss/cross_entropy.h"
#include "hearth/kernels/normalization/batch_norm.h"
#include "hearth/kernels/normalization/group_norm.h"
#include "hearth/kernels/normalization/layer_norm.h"

namespace hearth {
namespace {

constexpr double kMostTimes = 3;
constexpr double kLeastError = 1e-7;  // a unit in the last place

double relative_error(const at::Tensor& found, const at::Tensor& truth) {
  const at::Tensor exact = truth.to(at::kDouble);
  return found.to(at::kDouble).sub(exact).norm().item<double>() / exact.norm().item<double>();
}

void expect_exact(const at::Tensor& fast, const at::Tensor& plain, const at::Tensor& truth,
                  const std::string& what) {
  EXPECT_LE(relative_error(fast, truth),
            kMostTimes * std::max(relative_error(plain, truth), kLeastError))
      << what << ", plain " << relative_error(plain, truth);
}

void expect_as_exact_as_plain(const KernelRun& run, const std::vector<at::Tensor>& inputs) {
  const KernelResult truth = run_kernel(run, Kernels::kPlain, inputs, at::kDouble);
  const KernelResult plain = run_kernel(run, Kernels::kPlain, inputs, at::kFloat);
  const KernelResult fast = run_kernel(run, Kernels::kFast, inputs, at::kFloat);
  expect_exact(fast.output, plain.output, truth.output, "output");
  for (size_t i = 0; i < inputs.size(); ++i)
    if (truth.gradients[i].defined())
      expect_exact(fast.gradients[i], plain.gradients[i], truth.gradients[i],
                   "gradient of input " + std::to_string(i));
}

// Statistics of a batch, and what they do to the running ones.
void expect_exact_batch_norm(const at::Tensor& input) {
  const int64_t channels = input.size(1);
  const auto run = [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
    const BatchNormTensors tensors = {inputs[1], inputs[2], inputs[1].detach().mul(0),
                                      inputs[1].detach().mul(0)};
    return batch_norm(kernels, inputs[0], tensors, {true, 1.0}, {}, false);
  };
  const auto variance = [&](Kernels kernels, at::ScalarType type) {
    const at::Tensor one = at::ones({channels}, type);
    const BatchNormTensors tensors = {one, one.mul(0), one.mul(0), one.mul(0)};
    (void)batch_norm(kernels, input.to(type), tensors, {true, 1.0}, {}, false);
    return tensors.running_var;
  };
  expect_as_exact_as_plain(run, {input, at::randn({channels}), at::randn({channels})});
  expect_exact(variance(Kernels::kFast, at::kFloat), variance(Kernels::kPlain, at::kFloat),
               variance(Kernels::kPlain, at::kDouble), "variance");
}

TEST(KernelPrecision, OfBatchNormSurvivesOutliersAtAnyPlace) {
  for (const int64_t channels : {3, 16, 67}) {
    at::manual_seed(61);
    const at::Tensor usual = at::randn({8, channels, 9, 9});
    expect_exact_batch_norm(usual);
    for (const double outlier : {1e2, 1e3, -1e5})
      for (const int64_t place : {0, 1, 40, 80}) {
        SCOPED_TRACE(std::to_string(outlier) + " at " + std::to_string(place) + ", channels " +
                     std::to_string(channels));
        at::Tensor input = usual.clone();
        input[0].view({channels, 81}).select(1, place).fill_(outlier);
        expect_exact_batch_norm(input);
      }
    at::Tensor drifting = usual.clone();  // every image has a mean of its own
    drifting.add_(at::randn({8, channels, 1, 1}).mul(100));
    expect_exact_batch_norm(drifting);
    expect_exact_batch_norm(usual.add(300));
  }
}

// Usual values, values far from zero, and outliers.
TEST(KernelPrecision, OfLayerAndGroupNormSurvivesOutliersAndLargeMeans) {
  for (const int64_t channels : {8, 21, 96}) {
    at::manual_seed(65);
    const at::Tensor usual = at::randn({8, channels, 5, 5});
    at::Tensor outlier = usual.clone();
    outlier[0].view({channels, 25}).select(1, 7).fill_(1e3);
    const at::Tensor weight = at::randn({channels});
    const at::Tensor bias = at::randn({channels});
    for (const at::Tensor& input : {usual, outlier, usual.add(300)}) {
      SCOPED_TRACE(std::to_string(channels) + " channels");
      expect_as_exact_as_plain(
          [](Kernels kernels, const std::vector<at::Tensor>& inputs) {
            return layer_norm_rows(kernels, inputs[0], inputs[1], inputs[2], 1e-5);
          },
          {input.permute({0, 2, 3, 1}).contiguous(), weight, bias});
      expect_as_exact_as_plain(
          [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
            return group_norm_images(kernels, inputs[0], inputs[1], inputs[2],
                                     {channels % 8 == 0 ? 4 : 3, 1e-5});
          },
          {input, weight, bias});
    }
  }
}

// Scores around 1e4 that differ by little, without rounding of their own.
TEST(KernelPrecision, OfAttentionsGradientsSurvivesLargeScores) {
  at::manual_seed(62);
  const int64_t length = 20;
  at::Tensor packed = at::zeros({2, length, 12});
  packed.select(2, 0).fill_(128);
  packed.select(2, 1).fill_(1);
  packed.select(2, 4).fill_(160);
  packed.select(2, 5).copy_(at::randint(-256, 256, {2, length}, at::kFloat).div(64));
  packed.slice(2, 8, 12).copy_(at::randn({2, length, 4}));
  expect_as_exact_as_plain(
      [](Kernels kernels, const std::vector<at::Tensor>& inputs) {
        return attention(kernels, inputs[0], {1, false, 0}, {});
      },
      {packed});
}

at::Tensor loss_of(Kernels kernels, const at::Tensor& scores, const at::Tensor& labels) {
  return class_loss(kernels, scores, labels, 0);
}

TEST(KernelPrecision, OfTheClassLossSurvivesLargeScores) {
  at::manual_seed(63);
  const at::Tensor labels = at::randint(10, {32}, at::kLong);
  const auto run = [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
    return loss_of(kernels, inputs[0], labels);
  };
  const at::Tensor usual = at::randn({32, 10});
  for (const double offset : {0.0, 1e2, 1e4, 1e6}) {
    SCOPED_TRACE(offset);
    expect_as_exact_as_plain(run, {usual.add(offset)});
  }
}

TEST(KernelPrecision, OfTheClassLossSurvivesSureAnswers) {
  if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  at::manual_seed(64);
  const at::Tensor labels = at::randint(10, {32}, at::kLong);
  const at::Tensor usual = at::randn({32, 10});
  for (const double lead : {5.0, 14.0, 30.0, 80.0}) {
    SCOPED_TRACE(lead);
    at::Tensor sure = usual.mul(0.1);
    sure.scatter_add_(1, labels.view({32, 1}), at::full({32, 1}, lead));
    const double exact = loss_of(Kernels::kPlain, sure.to(at::kDouble), labels).item<double>();
    EXPECT_NEAR(loss_of(Kernels::kFast, sure, labels).item<double>(), exact, 1e-5 * exact + 1e-15);
  }
}

}  // namespace
}  // namespace hearth
