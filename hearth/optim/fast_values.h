// Tensors whose values the kernels of updates take as they lie in memory.
#pragma once

#include "hearth/kernels/kernels.h"
#include "hearth/kernels/weight/weight_order.h"

namespace hearth {

[[nodiscard]] inline bool has_fast_values(Kernels kernels, const at::Tensor& parameter) {
  return goes_fast(kernels, parameter) && parameter.is_non_overlapping_and_dense();
}

// Of what is remembered of a parameter, which gets its order in memory.
[[nodiscard]] inline float* slot_values(at::Tensor& slot, const at::Tensor& parameter) {
  slot = laid_out_like(slot, parameter);
  return slot.data_ptr<float>();
}

}  // namespace hearth
