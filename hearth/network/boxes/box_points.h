// Boxes as points of a detector say them: how far their sides are from the point, in sizes of the
// point.
#pragma once

#include <ATen/core/Tensor.h>

namespace hearth {

// Points [B, P, 3] are x, y and size; distances [B, P, 4] to left, top, right and bottom. Boxes
// [B, P, 4], as torchvision's BoxLinearCoder gives them.
[[nodiscard]] at::Tensor boxes_of(const at::Tensor& points, const at::Tensor& distances);
// The way back.
[[nodiscard]] at::Tensor distances_of(const at::Tensor& points, const at::Tensor& boxes);

// Which true box each point is to find.
struct BoxAssignment {
  at::Tensor found;   // bool [B, P]: whether there is one
  at::Tensor boxes;   // [B, P, 4]; anything where there is none
  at::Tensor labels;  // int64 [B, P]; anything where there is none
};

// Tian et al.'s: the smallest box around the point whose middle is within `radius` sizes of it, and
// whose farthest side is four to eight sizes away; points of the smallest size also take nearer
// ones, those of the largest also farther ones. Boxes [B, N, 4], labels [B, N]; `is_there` [B, N]
// says which are boxes, undefined: all.
[[nodiscard]] BoxAssignment assigned_boxes(const at::Tensor& points, const at::Tensor& boxes,
                                           const at::Tensor& labels, const at::Tensor& is_there,
                                           double radius);

}  // namespace hearth
