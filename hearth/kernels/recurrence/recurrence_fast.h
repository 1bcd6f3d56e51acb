// A recurrent layer's way through a sequence, in one pass. For internal use by recurrence.cpp.
#pragma once

#include "hearth/kernels/recurrence/recurrence.h"

namespace hearth {

// All tensors are float32 in memory, the mask bool, and their sizes fit.
[[nodiscard]] RecurrentStates fast_recurrence(const Recurrence& recurrence, const at::Tensor& gates,
                                              const RecurrentState& first, const at::Tensor& mask);

}  // namespace hearth
