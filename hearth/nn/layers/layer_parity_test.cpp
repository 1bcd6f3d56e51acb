// The same outputs, gradients and statistics as PyTorch's layers.
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "hearth/config/yaml.h"
#include "hearth/nn/layer_fixture.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

void load_tensors(const std::vector<NamedTensor>& tensors, const Json& saved) {
  const c10::AutoGradMode no_grad(false);
  ASSERT_EQ(tensors.size(), saved.size());
  for (const auto& [name, tensor] : tensors) tensor.copy_(parity_tensor(saved.at(name)));
}

void expect_buffers(const Layer& layer, const Json& expected) {
  for (const auto& [name, tensor] : layer.buffers())
    expect_near(tensor.to(at::kFloat), parity_tensor(expected.at(name)), 1e-5);
}

at::Tensor parity_input(const Json& truth) {
  at::Tensor input = parity_tensor(truth.at("input"));
  if (truth.at("classes") != 0) return input.to(at::kLong);
  return input.set_requires_grad(true);
}

void expect_parity(const Json& truth, Kernels kernels) {
  const at::Tensor input = parity_input(truth);
  const Choice<Layer> choice(truth.at("layer"), parse_yaml(truth.at("options").dump(), "options"));
  Spec spec = float_spec(input.sizes().slice(1).vec());
  if (!input.is_floating_point()) spec = token_spec(input.size(1), truth.at("classes"));
  const auto layer = built(choice, spec, {7, "net", 0, kernels});
  load_tensors(layer->parameters(), truth.at("parameters"));
  load_tensors(layer->buffers(), truth.at("buffers"));
  layer->set_training(truth.at("is_training"));
  const at::Tensor output = (*layer)(input);
  expect_near(output, parity_tensor(truth.at("output")), 1e-5);
  EXPECT_EQ(output.sizes().slice(1).vec(), layer->output_spec().shape);
  expect_buffers(*layer, truth.at("buffers_after"));
  output.square().sum().backward();
  for (const auto& [name, tensor] : layer->parameters())
    expect_near(tensor.grad(), parity_tensor(truth.at("gradients").at(name)), 2e-4);
  if (input.is_floating_point())
    expect_near(input.grad(), parity_tensor(truth.at("input_gradient")), 2e-4);
}

TEST(Layers, GiveTheSameNumbersAsPythonsTorch) {
  const Json truth = load_parity("layers.json");
  ASSERT_EQ(truth.at("cases").size(), 19U);
  for (const Json& one : truth.at("cases")) {
    SCOPED_TRACE(one.at("layer").get<std::string>() + " " + one.at("options").dump());
    for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) expect_parity(one, kernels);
  }
}

}  // namespace
}  // namespace hearth
