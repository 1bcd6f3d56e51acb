// Matrix products in a precision, and the same rounding for LibTorch's operators.
#pragma once

#include "hearth/kernels/kernels.h"
#include "hearth/kernels/onednn.h"

namespace hearth {

// into[m, n] = scale * left[m, k] * right[k, n] + keep * into, with factors rounded to `precision`
// and float32 sums. Only where `has_vector_unit()`; in a precision other than float32 it uses its
// own thread only.
void multiply_in(Precision precision, int64_t rows, int64_t columns, int64_t inner,
                 const Matrix& left, const Matrix& right, float* into, int64_t stride,
                 float scale = 1, float keep = 0);

// The type that factors of products are rounded to.
[[nodiscard]] at::ScalarType factor_type(Precision precision);
// For the plain path: what goes into a product, and what comes out. In memory a factor is a float32
// tensor of rounded values, and the gradient of what comes out is rounded likewise, since it is a
// factor of the gradients' products: the very numbers that own kernels multiply. Other devices
// multiply factors of the type itself.
[[nodiscard]] at::Tensor as_factor(Precision precision, const at::Tensor& value);
[[nodiscard]] at::Tensor as_sum(Precision precision, const at::Tensor& product);

}  // namespace hearth
