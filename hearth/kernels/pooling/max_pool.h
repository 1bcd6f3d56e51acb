// The largest value of every window of an image.
#pragma once

#include <cstdint>

#include "hearth/kernels/kernels.h"

namespace hearth {

struct PoolShape {
  int64_t kernel = 2;
  int64_t stride = 2;
  int64_t padding = 0;
};

// [B, C, H, W] to [B, C, H', W']. With `relu`, what is below zero becomes zero.
[[nodiscard]] at::Tensor max_pool(Kernels kernels, const at::Tensor& input, const PoolShape& shape,
                                  bool relu = false);

}  // namespace hearth
