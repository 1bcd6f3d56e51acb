// Residual networks: torchvision's names, shapes and numbers.
#include "hearth/nn/architectures/resnet.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/nn/layer_fixture.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

// The same formula as in make_resnet.py.
at::Tensor drawn(const std::string& name, at::IntArrayRef shape) {
  int64_t key = 0;
  for (size_t i = 0; i < name.size(); ++i) key += static_cast<int64_t>(i + 1) * name[i];
  const int64_t count = c10::multiply_integers(shape);
  const at::Tensor wave =
      at::arange(count, at::kDouble).mul(12.9898).add(key % 997).sin().mul(43758.5453);
  return (wave - wave.floor()).reshape(shape);
}

at::Tensor filled(const std::string& name, const at::Tensor& tensor) {
  const at::Tensor values = drawn(name, tensor.sizes());
  if (tensor.dim() == 4) {
    const auto fan_out = static_cast<double>(tensor.size(0) * tensor.size(2) * tensor.size(3));
    return (values - 0.5) * std::sqrt(24 / fan_out);
  }
  if (tensor.dim() == 2) return (values - 0.5) * 0.1;
  const bool is_scale = name.ends_with("weight") || name.ends_with("running_var");
  return is_scale ? values + 0.5 : (values - 0.5) * 0.2;
}

void fill(const std::vector<NamedTensor>& tensors, at::ScalarType type) {
  for (const auto& [name, tensor] : tensors)
    if (tensor.is_floating_point()) tensor.set_data(filled(name, tensor).to(type));
}

std::unique_ptr<Layer> filled_resnet(int64_t classes, at::ScalarType type) {
  auto layer = built(layers::resnet({.depth = 18, .classes = classes}), float_spec({3, 64, 64}));
  fill(layer->parameters(), type);
  fill(layer->buffers(), type);
  return layer;
}

at::Tensor parity_numbers(const Json& values) {
  return at::tensor(values.get<std::vector<double>>(), at::kDouble);
}

void expect_norms(const std::vector<NamedTensor>& tensors, const Json& norms, double tolerance) {
  ASSERT_EQ(tensors.size(), norms.size());
  for (const auto& [name, tensor] : tensors) {
    const double expected = norms.at(name);
    EXPECT_NEAR(tensor.to(at::kDouble).norm().item<double>(), expected, tolerance * (1 + expected))
        << name;
  }
}

std::vector<NamedTensor> gradients_of(const Layer& layer) {
  std::vector<NamedTensor> gradients;
  for (const auto& [name, tensor] : layer.parameters()) gradients.emplace_back(name, tensor.grad());
  return gradients;
}

void expect_resnet18(at::ScalarType type, double tolerance) {
  const Json truth = load_parity("resnet.json");
  const Json& numbers = truth.at("resnet18");
  const auto layer = filled_resnet(truth.at("classes"), type);
  const at::Tensor image = drawn("input", {2, 3, 64, 64}).mul(2).sub(1).to(type);
  layer->set_training(false);
  {
    const c10::AutoGradMode no_grad(false);
    const at::Tensor scores = (*layer)(image).to(at::kDouble).flatten();
    expect_near(scores, parity_numbers(numbers.at("eval")), tolerance);
  }
  layer->set_training(true);
  const at::Tensor scores = (*layer)(image);
  expect_near(scores.detach().to(at::kDouble).flatten(), parity_numbers(numbers.at("train")),
              tolerance);
  scores.square().mean().backward();
  expect_norms(gradients_of(*layer), numbers.at("gradient_norms"), tolerance);
  expect_norms(layer->buffers(), numbers.at("buffer_norms_after"), tolerance);
}

TEST(Resnet, ComputesWhatTorchvisionsDoes) { expect_resnet18(at::kDouble, 1e-9); }

TEST(Resnet, ComputesWhatTorchvisionsDoesInSinglePrecision) { expect_resnet18(at::kFloat, 2e-3); }

Json shapes_of(const std::vector<NamedTensor>& tensors) {
  Json shapes = Json::array();
  for (const auto& [name, tensor] : tensors) shapes.push_back({name, tensor.sizes().vec()});
  return shapes;
}

TEST(Resnet, HasTorchvisionsNamesAndShapes) {
  const Json truth = load_parity("resnet.json");
  for (const int64_t depth : {18, 50}) {
    const auto layer =
        built(layers::resnet({.depth = depth, .classes = 1000}), float_spec({3, 224, 224}));
    const Json& contents = truth.at("contents").at(std::to_string(depth));
    EXPECT_EQ(shapes_of(layer->parameters()), contents.at("parameters")) << depth;
    EXPECT_EQ(shapes_of(layer->buffers()), contents.at("buffers")) << depth;
  }
}

TEST(Resnet, HasTheBlocksOfItsDepth) {
  const std::vector<std::pair<int64_t, std::string>> last = {
      {20, "layer3.2.conv2.weight"},   {32, "layer3.4.conv2.weight"},
      {44, "layer3.6.conv2.weight"},   {56, "layer3.8.conv2.weight"},
      {110, "layer3.17.conv2.weight"}, {34, "layer4.2.conv2.weight"},
      {101, "layer3.22.conv3.weight"}, {152, "layer3.35.conv3.weight"}};
  for (const auto& [depth, name] : last) {
    const auto layer =
        built(layers::resnet({.depth = depth, .classes = 2, .width = 1}), float_spec({3, 32, 32}));
    const auto names = names_of(layer->parameters());
    EXPECT_THAT(names, testing::Contains(name));
    const auto is_counted = [](const std::string& each) {
      return each.ends_with("weight") &&
             (each.find("conv") != std::string::npos || each.starts_with("fc"));
    };
    EXPECT_EQ(std::count_if(names.begin(), names.end(), is_counted), depth);
  }
}

TEST(Resnet, IsSmallForCifar) {
  const auto layer = built(layers::resnet({.depth = 20}), float_spec({3, 32, 32}), {7, "net", 10});
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 10], 10 classes");
  EXPECT_EQ((*layer)(random_batch({3, 32, 32})).sizes().vec(), (std::vector<int64_t>{2, 10}));
  // He et al. give 0.27 million; the ways around are convolutions here, as is usual.
  EXPECT_EQ(layer->parameter_count(), 272'474);
  EXPECT_NEAR(layer->total_work(), 40.8e6, 0.1e6);
}

TEST(Resnet, RefusesADepthItDoesNotKnow) {
  try {
    (void)built(layers::resnet({.depth = 19}), float_spec({3, 32, 32}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                testing::EndsWith("depth must be 20, 32, 44, 56 or 110 (small images), or 18, 34, "
                                  "50, 101 or 152 (large images)."));
  }
}

}  // namespace
}  // namespace hearth
