// All ways to say labels in a number of steps.
#pragma once

#include "hearth/kernels/kernels.h"

namespace hearth {

struct CtcInputs {
  at::Tensor scores;   // [B, classes, steps]
  at::Tensor labels;   // int64 [B, labels]
  at::Tensor steps;    // int64 [B]: how many steps are real; undefined: all
  at::Tensor lengths;  // int64 [B]: how many labels are real
  int64_t blank = 0;
};

// For each sample, -log of the sum of the probabilities of all ways; 0 where there is none, because
// the labels need more steps. On the CPU by LibTorch's operator, which wants the lengths on the
// host; elsewhere in operators that any device has.
[[nodiscard]] at::Tensor ctc_losses(Kernels kernels, const CtcInputs& inputs);

}  // namespace hearth
