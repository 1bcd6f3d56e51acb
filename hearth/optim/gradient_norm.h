// The norm of many gradients together, on their device: nothing waits for it.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace hearth {

// Undefined for an empty list.
[[nodiscard]] at::Tensor gradient_norm(const std::vector<at::Tensor>& gradients);

// PyTorch's clip_grad_norm_: scales all of them, in place, when their norm is above the limit.
void clip_gradient_norm(const std::vector<at::Tensor>& gradients, double limit);

}  // namespace hearth
