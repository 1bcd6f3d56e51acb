// What flows back through a relu that a kernel computed along with its output.
#pragma once

#include <ATen/core/Tensor.h>

namespace hearth {

// The gradient where the output is above zero, and zeros elsewhere. Both lie alike in memory.
[[nodiscard]] at::Tensor relu_gradient(const at::Tensor& gradient, const at::Tensor& output);

}  // namespace hearth
