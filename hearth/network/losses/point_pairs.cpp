// The points of a batch beside each other.
#include "hearth/network/losses/point_pairs.h"

#include <ATen/ops/arange.h>

#include "hearth/network/losses/class_targets.h"

namespace hearth {
namespace {

constexpr double kLeastSquare = 1e-12;

}  // namespace

at::Tensor unit_points(const at::Tensor& points) {
  return points.mul(points.square().sum(-1, true).clamp_min(kLeastSquare).rsqrt());
}

// By differences: the shorter way over products loses all digits of near points.
at::Tensor squared_distances(const at::Tensor& left, const at::Tensor& right) {
  return left.unsqueeze(1).sub(right.unsqueeze(0)).square().sum(-1);
}

at::Tensor safe_root(const at::Tensor& squares) { return squares.clamp_min(kLeastSquare).sqrt(); }

at::Tensor is_itself(const at::Tensor& points) {
  const at::Tensor rows = at::arange(points.size(0), points.options().dtype(at::kLong));
  return rows.unsqueeze(0).eq(rows.unsqueeze(1));
}

ClassPairs class_pairs(const at::Tensor& labels, const at::Tensor& mask) {
  at::Tensor counts = counted_labels(labels);
  if (mask.defined()) counts = counts.logical_and(mask.reshape(labels.sizes()));
  const at::Tensor both = counts.unsqueeze(0).logical_and(counts.unsqueeze(1));
  const at::Tensor same = labels.unsqueeze(0).eq(labels.unsqueeze(1));
  return {same.logical_and(both).logical_and(is_itself(labels).logical_not()),
          same.logical_not().logical_and(both)};
}

}  // namespace hearth
