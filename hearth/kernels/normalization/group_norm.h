// Group normalization over images.
#pragma once

#include "hearth/kernels/kernels.h"

namespace hearth {

struct GroupNormSettings {
  int64_t groups = 1;  // as many as channels for an instance normalization
  double eps = 1e-5;
};

// Every group of channels of every sample [B, C, ...] brought to mean 0 and deviation 1, times
// `weight`, plus `bias`, both [C], or both undefined.
[[nodiscard]] at::Tensor group_norm_images(Kernels kernels, const at::Tensor& input,
                                           const at::Tensor& weight, const at::Tensor& bias,
                                           const GroupNormSettings& settings);

}  // namespace hearth
