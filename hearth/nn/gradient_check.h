// For tests: a layer's gradients in double against central differences.
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linspace.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <string>

#include "hearth/nn/layer.h"

namespace hearth {

// A number that depends on every output in its own way. Random layers draw the same every time.
inline at::Tensor gradient_check_loss(Layer& layer, const at::Tensor& input) {
  at::manual_seed(1);
  const at::Tensor output = layer(input);
  const at::Tensor weights = at::linspace(-1, 2, output.numel(), at::kDouble);
  return output.reshape({-1}).mul(weights).sum();
}

inline void expect_numeric_gradient(Layer& layer, const at::Tensor& input, const std::string& name,
                                    const at::Tensor& tensor) {
  const c10::AutoGradMode no_grad(false);
  const double step = 1e-6;
  double* values = tensor.data_ptr<double>();
  const at::Tensor gradient = tensor.grad().contiguous();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const double value = values[i];
    values[i] = value + step;
    const double above = gradient_check_loss(layer, input).item<double>();
    values[i] = value - step;
    const double below = gradient_check_loss(layer, input).item<double>();
    values[i] = value;
    EXPECT_NEAR(gradient.data_ptr<double>()[i], (above - below) / (2 * step), 1e-6)
        << name << "[" << i << "]";
  }
}

inline void make_exact(const std::vector<NamedTensor>& tensors) {
  for (const auto& [name, tensor] : tensors) {
    if (tensor.is_floating_point()) tensor.set_data(tensor.detach().to(at::kDouble));
  }
}

// `layer` is built; its parameters become double. `input` is a batch of any dtype; tokens, which
// are whole numbers, have no gradient.
inline void expect_gradients(Layer& layer, const at::Tensor& input) {
  const bool has_gradient = input.is_floating_point();
  at::Tensor exact = has_gradient ? input.detach().to(at::kDouble).contiguous().clone() : input;
  exact.set_requires_grad(has_gradient);
  make_exact(layer.parameters());
  make_exact(layer.buffers());
  gradient_check_loss(layer, exact).backward();
  if (has_gradient) expect_numeric_gradient(layer, exact, "input", exact);
  for (const auto& [name, tensor] : layer.parameters()) {
    expect_numeric_gradient(layer, exact, name, tensor);
  }
}

}  // namespace hearth
