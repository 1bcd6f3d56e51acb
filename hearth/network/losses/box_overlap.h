// How little boxes overlap.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace hearth {

// For boxes [..., 4], left, top, right, bottom: one minus their intersection over union, in the
// forms `iou`, `giou`, `diou` and `ciou`.
[[nodiscard]] at::Tensor box_loss(const std::string& form, const at::Tensor& predicted,
                                  const at::Tensor& truth);

}  // namespace hearth
