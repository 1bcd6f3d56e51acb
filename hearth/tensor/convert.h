// Between Hearth's specs and LibTorch's tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include "hearth/core/spec.h"

namespace hearth {

[[nodiscard]] at::ScalarType scalar_type(DType dtype);
[[nodiscard]] DType dtype_of(
    const at::Tensor& tensor);  // GraphError for a dtype Hearth does not know
// The spec of a batch: its first dimension is the batch, unless the tensor has none.
[[nodiscard]] Spec spec_of(const at::Tensor& batch);
// "float32 [64, 10]"
[[nodiscard]] std::string describe(const at::Tensor& tensor);

}  // namespace hearth
