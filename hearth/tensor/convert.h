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

// The first line of what LibTorch threw, without its backtrace. A Hearth error is thrown on as it
// is. Call it in a catch block.
[[nodiscard]] std::string what_libtorch_threw();

}  // namespace hearth
