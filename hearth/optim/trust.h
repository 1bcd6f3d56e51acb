// How far a tensor may move as a whole, by its norm and that of its direction. Both stay on their
// device: nothing waits for them.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>

namespace hearth {

inline constexpr const char* kAdaptVectorsHelp =
    "Whether parameters of one dimension, such as biases, move by their norms too.";

// In float64: squares of large values are not infinite there.
[[nodiscard]] inline at::Tensor norm_of(const at::Tensor& values) {
  return values.detach().norm(2, at::kDouble);
}

// norm / divisor, or 1 where one of them is 0: a parameter of zeros must be able to leave them.
[[nodiscard]] inline at::Tensor trust(const at::Tensor& norm, const at::Tensor& divisor) {
  const at::Tensor has_both = norm.ne(0).bitwise_and(divisor.ne(0));
  return at::where(has_both, norm.div(divisor), at::ones_like(norm));
}

}  // namespace hearth
