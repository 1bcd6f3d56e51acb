// Every layer: its output is what its spec says, its gradients match differences, and Hearth's own
// kernels give what LibTorch's operators give.
#include <ATen/Context.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/nn/layer.h"

namespace hearth {
namespace {

constexpr int64_t kClasses = 3;
constexpr int64_t kBatch = 4;
constexpr double kStep = 1e-6;
// Differences to look at in one layer, spread over all its tensors: large models have too many.
constexpr int64_t kDifferences = 240;

// What a layer is tried with.
struct LayerCase {
  std::string options = "{}";       // YAML
  std::vector<int64_t> shape = {};  // of one sample
  bool takes_tokens = false;        // int64 numbers below kClasses instead of floats
  double tolerance = 1e-6;          // deep ones have kinks of a relu within a difference
};

const std::map<std::string, LayerCase>& layer_cases() {
  static const std::map<std::string, LayerCase> cases = {
      {"average_pool2d", {"{}", {2, 4, 6}}},
      {"batch_norm2d", {"{}", {2, 3, 4}}},
      {"bottleneck_block", {"{channels: 2, stride: 2}", {4, 4, 4}}},
      {"conv2d", {"{out_channels: 3, padding: 1}", {2, 5, 4}}},
      {"dropout", {"{p: 0.4}", {3, 5}}},
      {"embedding", {"{size: 4}", {5}, true}},
      {"flatten", {"{}", {2, 3}}},
      {"gelu", {"{}", {3, 4}}},
      {"global_average_pool", {"{}", {3, 4, 2}}},
      {"gpt", {"{layers: 2, width: 8, heads: 2}", {6}, true}},
      {"layer_norm", {"{}", {4, 6}}},
      {"lenet", {"{channels: [2, 3], hidden: 4, kernel: 3}", {1, 8, 8}}},
      {"linear", {"{out_features: 4}", {3}}},
      {"max_pool2d", {"{}", {2, 4, 5}}},
      {"mlp", {"{hidden: [5, 4]}", {1, 2, 3}}},
      {"relu", {"{}", {3, 4}}},
      {"residual_block", {"{out_channels: 4, stride: 2}", {2, 4, 6}}},
      {"resnet", {"{depth: 20, width: 4}", {3, 8, 8}, false, 1e-4}},
      {"self_attention", {"{heads: 2}", {5, 8}}},
      {"sequential", {"{layers: [{linear: {out_features: 4}}, relu, linear]}", {3}}},
      {"transformer_block", {"{heads: 2}", {5, 8}}},
  };
  return cases;
}

class EveryLayer : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!layer_cases().contains(GetParam()))
      FAIL() << "There is no case for the layer '" << GetParam()
             << "'. Add one to layer_cases() in tests/conformance/layer_test.cpp: its options, and "
                "the shape of a sample it takes.";
  }

  static const LayerCase& tried() { return layer_cases().at(GetParam()); }

  static std::unique_ptr<Layer> built_layer(Kernels kernels) {
    auto layer = registry<Layer>().make({GetParam(), parse_yaml(tried().options, "case")});
    Spec input;
    input.shape = tried().shape;
    if (tried().takes_tokens) {
      input.dtype = DType::kInt64;
      input.classes = kClasses;
    }
    (void)layer->build(input, {7, "net", kClasses, kernels});
    return layer;
  }

  static at::Tensor batch() {
    at::manual_seed(3);
    std::vector<int64_t> sizes = tried().shape;
    sizes.insert(sizes.begin(), kBatch);
    if (tried().takes_tokens) return at::randint(kClasses, sizes, at::kLong);
    return at::randn(sizes, at::kFloat).set_requires_grad(true);
  }
};

// A number that depends on every output in its own way. Random layers draw the same every time.
at::Tensor loss_of(Layer& layer, const at::Tensor& input) {
  at::manual_seed(1);
  const at::Tensor output = layer(input);
  return output.reshape({-1})
      .mul(at::linspace(-1, 2, output.numel(), output.options().requires_grad(false)))
      .sum();
}

void make_double(const std::vector<NamedTensor>& tensors) {
  for (const auto& [name, tensor] : tensors)
    if (tensor.is_floating_point()) tensor.set_data(tensor.detach().to(at::kDouble));
}

// Everything with a gradient: the parameters, and the input unless it is tokens.
std::vector<NamedTensor> learning(const Layer& layer, const at::Tensor& input) {
  std::vector<NamedTensor> tensors = layer.parameters();
  if (input.requires_grad()) tensors.emplace_back("the input", input);
  return tensors;
}

double difference(Layer& layer, const at::Tensor& input, double& value) {
  const c10::AutoGradMode no_gradients(false);
  const double before = value;
  value = before + kStep;
  const double above = loss_of(layer, input).item<double>();
  value = before - kStep;
  const double below = loss_of(layer, input).item<double>();
  value = before;
  return (above - below) / (2 * kStep);
}

TEST_P(EveryLayer, GivesWhatItsSpecSays) {
  const auto layer = built_layer(Kernels::kFast);
  const at::Tensor output = (*layer)(batch());
  EXPECT_EQ(output.size(0), kBatch);
  EXPECT_EQ(output.sizes().slice(1).vec(), layer->output_spec().shape);
}

TEST_P(EveryLayer, HasTheGradientsOfDifferences) {
  const auto layer = built_layer(Kernels::kPlain);
  make_double(layer->parameters());
  make_double(layer->buffers());
  at::Tensor input = batch();
  if (!tried().takes_tokens) input = input.detach().to(at::kDouble).set_requires_grad(true);
  loss_of(*layer, input).backward();
  const std::vector<NamedTensor> tensors = learning(*layer, input);
  const int64_t share = std::max<int64_t>(kDifferences / static_cast<int64_t>(tensors.size()), 1);
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor gradient = tensor.grad().contiguous();
    const int64_t stride = (tensor.numel() + share - 1) / share;
    for (int64_t i = 0; i < tensor.numel(); i += stride) {
      const double expected = difference(*layer, input, tensor.data_ptr<double>()[i]);
      EXPECT_NEAR(gradient.data_ptr<double>()[i], expected,
                  tried().tolerance * std::max(1.0, std::abs(expected)))
          << name << "[" << i << "]";
    }
  }
}

void expect_close(const at::Tensor& value, const at::Tensor& truth, double tolerance,
                  const std::string& name) {
  ASSERT_TRUE(value.defined()) << name;
  const double largest = truth.abs().max().item<double>();
  EXPECT_LE(value.sub(truth).abs().max().item<double>(), tolerance * std::max(largest, 1e-2))
      << name;
}

TEST_P(EveryLayer, GivesThePlainResultsWithFastKernels) {
  const auto plain = built_layer(Kernels::kPlain);
  const auto fast = built_layer(Kernels::kFast);
  const at::Tensor plain_input = batch();
  const at::Tensor fast_input = batch();
  const double tolerance = std::max(1e-4, 10 * tried().tolerance);
  loss_of(*plain, plain_input).backward();
  loss_of(*fast, fast_input).backward();
  const std::vector<NamedTensor> expected = learning(*plain, plain_input);
  const std::vector<NamedTensor> found = learning(*fast, fast_input);
  for (size_t i = 0; i < expected.size(); ++i)
    expect_close(found[i].second.grad(), expected[i].second.grad(), tolerance,
                 "gradient of " + expected[i].first);
  for (size_t i = 0; i < plain->buffers().size(); ++i)
    expect_close(fast->buffers()[i].second.to(at::kDouble),
                 plain->buffers()[i].second.to(at::kDouble), tolerance, plain->buffers()[i].first);
  plain->set_training(false);
  fast->set_training(false);
  expect_close((*fast)(fast_input), (*plain)(plain_input), tolerance, "the output");
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLayer, testing::ValuesIn(registry<Layer>().names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
