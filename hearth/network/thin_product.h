// Products of two thin matrices, in an order of their own: ranks that have the same factors get the
// same bits, whatever their processors are.
#pragma once

#include <ATen/core/Tensor.h>

namespace hearth {

// Columns of a contiguous float32 matrix become orthogonal to those before them, and of length 1. A
// column in which nothing is left becomes 0.
void make_orthonormal(const at::Tensor& columns);

// left [rows, rank] times right [rank, columns], both contiguous float32.
[[nodiscard]] at::Tensor thin_product(const at::Tensor& left, const at::Tensor& right);

}  // namespace hearth
