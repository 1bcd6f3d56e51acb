// Whether tensors hold finite numbers only.
#include "hearth/tensor/finite.h"

#include <ATen/ops/aminmax.h>

#include <cmath>

namespace hearth {

// NaN comes through as smallest and largest value; one pass, and no memory of the tensor's size.
bool is_finite(const at::Tensor& tensor) {
  if (!tensor.is_floating_point() || tensor.numel() == 0) return true;
  const auto [smallest, largest] = at::aminmax(tensor.detach());
  return std::isfinite(smallest.item<double>()) && std::isfinite(largest.item<double>());
}

}  // namespace hearth
