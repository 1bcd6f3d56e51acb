// For tests: layers beside what tests/parity/layer_truth.py wrote of PyTorch's.
#pragma once

#include <ATen/Context.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/yaml.h"
#include "hearth/nn/layer_fixture.h"
#include "tests/parity/parity.h"

namespace hearth {

class LayerParity {
 public:
  // Of a case; its numbers are float32, or float64 when it says so.
  LayerParity(const Json& truth, Kernels kernels, at::ScalarType type)
      : truth_(truth), kernels_(kernels), type_(type) {}

  void expect() const {
    const at::Tensor input = tensor_input();
    const auto layer = built_layer(input);
    if (testing::Test::HasFatalFailure()) return;
    layer->set_training(truth_.at("is_training"));
    at::manual_seed(truth_.value("seed", 1));
    const at::Tensor output = (*layer)(input);
    expect_values(output, truth_.at("output"), 1e-5, "the output");
    EXPECT_EQ(output.sizes().slice(1).vec(), layer->output_spec().shape);
    for (const auto& [name, buffer] : layer->buffers())
      expect_values(buffer.to(type_), truth_.at("buffers_after").at(name), 1e-5, name);
    output.square().sum().backward();
    for (const auto& [name, tensor] : layer->parameters())
      expect_values(tensor.grad(), truth_.at("gradients").at(name), 2e-4, name);
    if (input.is_floating_point())
      expect_values(input.grad(), truth_.at("input_gradient"), 2e-4, "the input");
  }

 private:
  [[nodiscard]] static at::Tensor exact_tensor(const Json& json) {
    return at::tensor(json.at("values").get<std::vector<double>>())
        .reshape(json.at("shape").get<std::vector<int64_t>>());
  }

  [[nodiscard]] at::Tensor tensor_input() const {
    const at::Tensor input = exact_tensor(truth_.at("input"));
    if (truth_.at("classes") != 0) return input.to(at::kLong);
    return input.to(type_).set_requires_grad(true);
  }

  [[nodiscard]] std::unique_ptr<Layer> built_layer(const at::Tensor& input) const {
    const Choice<Layer> choice(truth_.at("layer"),
                               parse_yaml(truth_.at("options").dump(), "options"));
    Spec spec = float_spec(input.sizes().slice(1).vec());
    if (!input.is_floating_point()) spec = token_spec(input.size(1), truth_.at("classes"));
    std::unique_ptr<Layer> layer = built(choice, spec, {7, "net", 0, kernels_});
    if (type_ == at::kDouble) make_double(layer->parameters());
    if (type_ == at::kDouble) make_double(layer->buffers());
    load_tensors(layer->parameters(), truth_.at("parameters"));
    load_tensors(layer->buffers(), truth_.at("buffers"));
    return layer;
  }

  static void load_tensors(const std::vector<NamedTensor>& tensors, const Json& saved) {
    const c10::AutoGradMode no_grad(false);
    ASSERT_EQ(tensors.size(), saved.size());
    for (const auto& [name, tensor] : tensors) tensor.copy_(exact_tensor(saved.at(name)));
  }

  // Of float64, 1e-9 of the largest value; of float32, `tolerance`.
  void expect_values(const at::Tensor& found, const Json& json, double tolerance,
                     const std::string& name) const {
    SCOPED_TRACE(name);
    const at::Tensor expected = exact_tensor(json);
    const double largest = expected.numel() == 0 ? 0 : expected.abs().max().item<double>();
    expect_near(found, expected, type_ == at::kDouble ? 1e-9 * std::max(1.0, largest) : tolerance);
  }

  const Json& truth_;
  Kernels kernels_;
  at::ScalarType type_;
};

// Every case of the file: fast and plain kernels in float32, and in float64 where the truth is.
inline void expect_layer_parity(const std::string& file, size_t cases) {
  const Json truth = load_parity(file);
  ASSERT_EQ(truth.at("cases").size(), cases);
  for (const Json& one : truth.at("cases")) {
    SCOPED_TRACE(one.at("layer").get<std::string>() + " " + one.at("options").dump());
    for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
      LayerParity(one, kernels, at::kFloat).expect();
    if (one.value("dtype", "float32") == "float64")
      LayerParity(one, Kernels::kPlain, at::kDouble).expect();
  }
}

}  // namespace hearth
