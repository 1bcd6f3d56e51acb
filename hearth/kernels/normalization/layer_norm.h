// Layer normalization over the last dimension.
#pragma once

#include "hearth/kernels/kernels.h"

namespace hearth {

// Every row of [..., D] brought to mean 0 and deviation 1, times `weight`, plus `bias`, both [D];
// the bias may be undefined.
[[nodiscard]] at::Tensor layer_norm_rows(Kernels kernels, const at::Tensor& input,
                                         const at::Tensor& weight, const at::Tensor& bias,
                                         double eps);

}  // namespace hearth
