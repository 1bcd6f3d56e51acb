// Whether tensors hold finite numbers only.
#pragma once

#include <ATen/core/Tensor.h>

namespace hearth {

// True for whole numbers and for no values at all. Waits for the tensor's device.
[[nodiscard]] bool is_finite(const at::Tensor& tensor);

}  // namespace hearth
