// The largest value of every window of an image.
#pragma once

#include "hearth/kernels/kernels.h"
#include "hearth/kernels/pooling/pool_shape.h"

namespace hearth {

// [B, C, H, W] to [B, C, H', W']. With `relu`, what is below zero becomes zero.
[[nodiscard]] at::Tensor max_pool(Kernels kernels, const at::Tensor& input,
                                  const PoolShape<2>& shape, bool relu = false);

}  // namespace hearth
