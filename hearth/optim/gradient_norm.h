// The norm of many gradients together, on their device: nothing waits for it.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace hearth {

// Undefined for an empty list.
[[nodiscard]] at::Tensor gradient_norm(const std::vector<at::Tensor>& gradients);

// The same of each one's norm, a tensor of one value.
[[nodiscard]] at::Tensor norm_of_norms(const std::vector<at::Tensor>& norms);

// What PyTorch's clip_grad_norm_ multiplies gradients of this norm by.
[[nodiscard]] at::Tensor clip_factor(const at::Tensor& norm, double limit);
// PyTorch's clip_grad_norm_: scales all of them, in place, when their norm is above the limit.
void clip_gradient_norm(const std::vector<at::Tensor>& gradients, double limit);

}  // namespace hearth
