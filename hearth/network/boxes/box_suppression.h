// Non-maximum suppression: of boxes that overlap, the one with the best score stays.
#pragma once

#include <ATen/core/Tensor.h>

#include "hearth/kernels/kernels.h"

namespace hearth {

// Boxes [B, N, 4] with the best first, and their classes [B, N]: which of those that are there,
// bool [B, N], no earlier one of the same class that stays overlaps by more than `threshold` of
// what both cover. As torchvision's batched_nms.
[[nodiscard]] at::Tensor kept_boxes(Kernels kernels, const at::Tensor& boxes,
                                    const at::Tensor& classes, const at::Tensor& is_there,
                                    double threshold);

}  // namespace hearth
