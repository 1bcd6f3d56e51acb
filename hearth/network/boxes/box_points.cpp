// Boxes as points of a detector say them.
#include "hearth/network/boxes/box_points.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/stack.h>

#include <limits>

namespace hearth {
namespace {

constexpr double kFarthest = 8;  // in sizes of a point
constexpr double kNearest = 4;

// From points [B, P, 1] to the sides of boxes [B, 1, N]: [B, P, N, 4].
at::Tensor distances_between(const at::Tensor& points, const at::Tensor& boxes) {
  const at::Tensor x = points.select(-1, 0).unsqueeze(-1);
  const at::Tensor y = points.select(-1, 1).unsqueeze(-1);
  const auto side = [&](int64_t number) { return boxes.select(-1, number).unsqueeze(1); };
  return at::stack({x.sub(side(0)), y.sub(side(1)), side(2).sub(x), side(3).sub(y)}, -1);
}

// Whether the middle of a box is near the point.
at::Tensor is_central(const at::Tensor& points, const at::Tensor& distances, double radius) {
  const auto off = [&](int64_t start, int64_t end) {
    const at::Tensor twice = distances.select(-1, start).sub(distances.select(-1, end));
    return at::maximum(twice, twice.neg()).mul(0.5);
  };
  return at::maximum(off(0, 2), off(1, 3)).lt(points.select(-1, 2).mul(radius).unsqueeze(-1));
}

// Whether the box is of a size that the point's map is for.
at::Tensor is_of_size(const at::Tensor& points, const at::Tensor& distances) {
  const at::Tensor size = points.select(-1, 2);
  const at::Tensor least = size.mul(kNearest).masked_fill(size.eq(size.amin(1, true)), 0);
  const at::Tensor most = size.mul(kFarthest).masked_fill(size.eq(size.amax(1, true)),
                                                          std::numeric_limits<double>::infinity());
  const at::Tensor farthest = distances.amax(-1);
  return farthest.gt(least.unsqueeze(-1)).logical_and(farthest.lt(most.unsqueeze(-1)));
}

}  // namespace

at::Tensor boxes_of(const at::Tensor& points, const at::Tensor& distances) {
  const at::Tensor middle = points.narrow(-1, 0, 2);
  const at::Tensor reach = distances.mul(points.narrow(-1, 2, 1));
  return at::cat({middle.sub(reach.narrow(-1, 0, 2)), middle.add(reach.narrow(-1, 2, 2))}, -1);
}

at::Tensor distances_of(const at::Tensor& points, const at::Tensor& boxes) {
  const at::Tensor middle = points.narrow(-1, 0, 2);
  const at::Tensor reach =
      at::cat({middle.sub(boxes.narrow(-1, 0, 2)), boxes.narrow(-1, 2, 2).sub(middle)}, -1);
  return reach.div(points.narrow(-1, 2, 1));
}

BoxAssignment assigned_boxes(const at::Tensor& points, const at::Tensor& boxes,
                             const at::Tensor& labels, const at::Tensor& is_there, double radius) {
  const at::Tensor distances = distances_between(points, boxes);
  at::Tensor fits = distances.amin(-1)
                        .gt(0)
                        .logical_and(is_central(points, distances, radius))
                        .logical_and(is_of_size(points, distances));
  if (is_there.defined()) fits = fits.logical_and(is_there.to(at::kBool).unsqueeze(1));
  const at::Tensor area = boxes.select(-1, 2)
                              .sub(boxes.select(-1, 0))
                              .mul(boxes.select(-1, 3).sub(boxes.select(-1, 1)));
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const auto [smallest, which] =
      area.unsqueeze(1).expand_as(fits).masked_fill(fits.logical_not(), kNone).min(-1);
  const at::Tensor place = which.unsqueeze(-1).expand({-1, -1, 4});
  return {smallest.lt(kNone), boxes.gather(1, place), labels.gather(1, which)};
}

}  // namespace hearth
