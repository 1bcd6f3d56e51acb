// For tests: a layer's gradients in double against central differences.
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linspace.h>

#include <algorithm>
#include <vector>

#include "hearth/nn/layer.h"
#include "hearth/tensor/gradient_check.h"

namespace hearth {

// A number that depends on every output in its own way. Random layers draw the same every time.
inline at::Tensor gradient_check_loss(Layer& layer, const at::Tensor& input) {
  at::manual_seed(1);
  const at::Tensor output = layer(input);
  return output.reshape({-1})
      .mul(at::linspace(-1, 2, output.numel(), output.options().requires_grad(false)))
      .sum();
}

inline void make_double(const std::vector<NamedTensor>& tensors) {
  for (const auto& [name, tensor] : tensors) {
    if (tensor.is_floating_point()) tensor.set_data(tensor.detach().to(at::kDouble));
  }
}

// `layer` is built; its parameters become double. `input` is a batch of any dtype; tokens, which
// are whole numbers, have no gradient. Checks `most` values in all, spread over all tensors: large
// models have too many.
inline void expect_layer_gradients(Layer& layer, const at::Tensor& input, double tolerance = 1e-6,
                                   double of_large = 0, int64_t most = INT64_MAX) {
  const bool has_gradient = input.is_floating_point();
  at::Tensor exact = has_gradient ? input.detach().to(at::kDouble).contiguous().clone() : input;
  exact.set_requires_grad(has_gradient);
  make_double(layer.parameters());
  make_double(layer.buffers());
  gradient_check_loss(layer, exact).backward();
  ClaimedGradients claims;
  if (has_gradient) claims.push_back({"the input", exact, exact.grad()});
  for (const auto& [name, tensor] : layer.parameters())
    claims.push_back({name, tensor, tensor.grad()});
  if (claims.empty()) return;
  expect_gradient_values(
      claims, [&] { return gradient_check_loss(layer, exact).item<double>(); }, tolerance, of_large,
      std::max<int64_t>(most / static_cast<int64_t>(claims.size()), 1));
}

}  // namespace hearth
