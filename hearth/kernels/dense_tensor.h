// Tensors whose values lie one behind the other, in whichever order.
#pragma once

#include <ATen/core/Tensor.h>

namespace hearth {

// Images stay channels-last.
[[nodiscard]] at::Tensor dense(const at::Tensor& tensor);
// In the order of a dense tensor of these strides.
[[nodiscard]] at::Tensor dense_like(const at::Tensor& tensor, at::IntArrayRef strides);

}  // namespace hearth
