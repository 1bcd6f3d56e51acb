// A linear layer: input times transposed weight, plus bias.
#pragma once

#include "hearth/kernels/kernels.h"

namespace hearth {

// [..., in] and [out, in] to [..., out]; `bias` and `addend`, shaped as the output, may be
// undefined. With `relu`, what is below zero becomes zero.
[[nodiscard]] at::Tensor linear_product(Kernels kernels, const at::Tensor& input,
                                        const at::Tensor& weight, const at::Tensor& bias,
                                        const at::Tensor& addend = {}, bool relu = false);

// For other kernels: the gradient by a weight [out, in] of `rows` rows of inputs and of gradients
// by what came out.
void product_weight_gradient(int64_t rows, int64_t in, int64_t out, const float* gradient,
                             const float* input, float* weight_gradient);

}  // namespace hearth
