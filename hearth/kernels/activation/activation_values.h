// Expressions of every value by itself that are worth a pass of their own: smooth and bounded
// relus.
#pragma once

#include <string>

#include "hearth/kernels/activation/activation.h"
#include "hearth/kernels/kernels.h"

namespace hearth {

[[nodiscard]] at::Tensor silu_values(Kernels kernels, const at::Tensor& input);
[[nodiscard]] at::Tensor hardswish_values(Kernels kernels, const at::Tensor& input);
[[nodiscard]] at::Tensor hardsigmoid_values(Kernels kernels, const at::Tensor& input);
[[nodiscard]] at::Tensor relu6_values(Kernels kernels, const at::Tensor& input);
// `approximate` is "none" for the exact function or "tanh", as LibTorch has it.
[[nodiscard]] at::Tensor gelu_values(Kernels kernels, const at::Tensor& input,
                                     const std::string& approximate);

// By name; the values themselves for none.
[[nodiscard]] at::Tensor activated(Kernels kernels, const at::Tensor& input, Activation activation);

}  // namespace hearth
