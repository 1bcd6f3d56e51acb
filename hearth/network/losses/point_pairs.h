// The points of a batch beside each other: distances, likeness, and which pairs are of one class.
#pragma once

#include <ATen/core/Tensor.h>

namespace hearth {

// Points of length one; a point at the origin stays there.
[[nodiscard]] at::Tensor unit_points(const at::Tensor& points);
// Squares of the distances of all rows of `left` from all of `right`: [L, R].
[[nodiscard]] at::Tensor squared_distances(const at::Tensor& left, const at::Tensor& right);
// Roots whose slope is finite everywhere.
[[nodiscard]] at::Tensor safe_root(const at::Tensor& squares);
// A row's place in the batch and its own: [n, n], true on the diagonal.
[[nodiscard]] at::Tensor is_itself(const at::Tensor& points);

// Pairs of rows (i, j), both of which count.
struct ClassPairs {
  at::Tensor same;       // of one class, not the row itself
  at::Tensor different;  // of two classes
};
// Labels of -100 do not count, nor do rows that `mask`, undefined for none, hides.
[[nodiscard]] ClassPairs class_pairs(const at::Tensor& labels, const at::Tensor& mask);

}  // namespace hearth
