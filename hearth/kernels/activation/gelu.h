// A smooth relu: x times the share of a normal distribution below x, value by value.
#pragma once

#include <string>

#include "hearth/kernels/kernels.h"

namespace hearth {

// `approximate` is "none" for the exact function or "tanh", as LibTorch has it.
[[nodiscard]] at::Tensor gelu_values(Kernels kernels, const at::Tensor& input,
                                     const std::string& approximate);

}  // namespace hearth
