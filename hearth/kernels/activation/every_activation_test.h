// For tests: all expressions that have a pass of their own.
#pragma once

#include <string>
#include <vector>

#include "hearth/kernels/activation/activation_values.h"

namespace hearth {

struct PointwiseValues {
  std::string name;
  at::Tensor (*run)(Kernels kernels, const at::Tensor& input);
};

inline const std::vector<PointwiseValues> kPointwiseValues = {
    {"silu", silu_values},
    {"hardswish", hardswish_values},
    {"hardsigmoid", hardsigmoid_values},
    {"relu6", relu6_values},
    {"gelu",
     [](Kernels kernels, const at::Tensor& input) { return gelu_values(kernels, input, "none"); }}};

}  // namespace hearth
