// Ranks of numbers that count with weights.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace hearth {

// The weight of all that is smaller, and half of what is equal; a number with a weight of two ranks
// as two equal ones do. Not a number for what is none.
[[nodiscard]] std::vector<double> weighed_ranks(const at::Tensor& numbers,
                                                const at::Tensor& weights);
// Not a number when either side never changes.
[[nodiscard]] double weighed_correlation(const std::vector<double>& left,
                                         const std::vector<double>& right,
                                         const at::Tensor& weights);

}  // namespace hearth
