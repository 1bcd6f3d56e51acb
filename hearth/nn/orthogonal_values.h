// Matrices whose rows, or columns, are at right angles, for initializers that begin with one.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <string>

namespace hearth {

[[nodiscard]] inline std::string orthogonal_misfit(at::IntArrayRef shape) {
  return shape.size() < 2 ? "it needs rows and columns, which a vector does not have" : "";
}

// Rows, or columns where they are fewer, of length `gain`; windows of filters count as columns.
void fill_orthogonal(at::Tensor& values, double gain, const at::Generator& generator);

}  // namespace hearth
