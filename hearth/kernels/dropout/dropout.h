// Dropout while training: a share `p` of the values becomes zero, the others grow.
#pragma once

#include "hearth/kernels/kernels.h"

namespace hearth {

[[nodiscard]] at::Tensor drop_values(Kernels kernels, const at::Tensor& input, double p);

}  // namespace hearth
