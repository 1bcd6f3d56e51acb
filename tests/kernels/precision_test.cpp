// How exact whole networks are: for residual networks of every usual depth, the error of outputs,
// of the image's gradient and of the first layer's, which has come through all others, is at most
// three times LibTorch's, both against float64.
#include <ATen/Context.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "hearth/config/registry.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/layer.h"

namespace hearth {
namespace {

constexpr double kMostTimes = 3;
constexpr int kDraws = 4;
const std::vector<int64_t> kImage = {3, 64, 64};
const std::vector<std::string> kResults = {"output", "gradient of the image",
                                           "gradient of the first weight"};

std::unique_ptr<Layer> built_resnet(int64_t depth, Kernels kernels, at::ScalarType type) {
  auto layer = registry<Layer>().make(layers::resnet({.depth = depth, .classes = 10}));
  Spec input;
  input.shape = kImage;
  (void)layer->build(input, {7, "net", 10, kernels});
  for (const auto& tensors : {std::vector<NamedTensor>(layer->parameters()), layer->buffers()})
    for (const auto& [name, tensor] : tensors)
      if (tensor.is_floating_point()) tensor.set_data(tensor.detach().to(type));
  return layer;
}

// The three results of `kResults`.
std::vector<at::Tensor> results_of(Layer& layer, const at::Tensor& image, at::ScalarType type) {
  const at::Tensor input = image.to(type, false, /*copy=*/true).set_requires_grad(true);
  const at::Tensor output = layer(input);
  at::manual_seed(2);
  output.backward(at::randn(output.sizes()).to(type));
  const std::vector<NamedTensor> parameters = layer.parameters();
  std::vector<at::Tensor> results = {output.detach(), input.grad(), parameters[0].second.grad()};
  for (const auto& [name, parameter] : parameters) parameter.mutable_grad() = at::Tensor();
  return results;
}

double relative_error(const at::Tensor& found, const at::Tensor& truth) {
  return found.to(at::kDouble).sub(truth).norm().item<double>() / truth.norm().item<double>();
}

// Of several draws. A relu at its kink that goes the other way makes a thousand times the rounding
// error, in LibTorch's as in Hearth's: the least error is of a draw without one.
struct LeastErrors {
  double plain = std::numeric_limits<double>::infinity();
  double fast = std::numeric_limits<double>::infinity();
};

class ResnetPrecision : public testing::TestWithParam<int64_t> {
 protected:
  void expect_exact(bool is_training) {
    for (Layer* layer : {exact_.get(), plain_.get(), fast_.get()}) layer->set_training(is_training);
    std::array<LeastErrors, 3> errors;
    for (int draw = 0; draw < kDraws; ++draw) {
      at::manual_seed(static_cast<uint64_t>(40 + draw));
      // Statistics of a batch need more than one value; every image has kinks of its own.
      const at::Tensor image = at::randn({is_training ? 2 : 1, kImage[0], kImage[1], kImage[2]});
      const auto truth = results_of(*exact_, image, at::kDouble);
      const auto plain = results_of(*plain_, image, at::kFloat);
      const auto fast = results_of(*fast_, image, at::kFloat);
      for (size_t i = 0; i < kResults.size(); ++i) {
        errors[i].plain = std::min(errors[i].plain, relative_error(plain[i], truth[i]));
        errors[i].fast = std::min(errors[i].fast, relative_error(fast[i], truth[i]));
      }
    }
    for (size_t i = 0; i < kResults.size(); ++i) {
      EXPECT_LE(errors[i].fast, kMostTimes * errors[i].plain)
          << kResults[i] << (is_training ? " in training" : " in evaluation") << ", LibTorch's "
          << errors[i].plain;
    }
  }

  std::unique_ptr<Layer> exact_ = built_resnet(GetParam(), Kernels::kPlain, at::kDouble);
  std::unique_ptr<Layer> plain_ = built_resnet(GetParam(), Kernels::kPlain, at::kFloat);
  std::unique_ptr<Layer> fast_ = built_resnet(GetParam(), Kernels::kFast, at::kFloat);
};

TEST_P(ResnetPrecision, IsThatOfLibTorchsOperatorsInTraining) { expect_exact(true); }
TEST_P(ResnetPrecision, IsThatOfLibTorchsOperatorsInEvaluation) { expect_exact(false); }

INSTANTIATE_TEST_SUITE_P(Depths, ResnetPrecision, testing::Values(18, 34, 50, 101, 152),
                         [](const auto& tested) { return std::to_string(tested.param); });

}  // namespace
}  // namespace hearth
