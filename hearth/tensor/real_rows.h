// The rows of a batch's value that are samples: they come first, what fills up the batch after
// them.
#pragma once

#include <ATen/core/Tensor.h>

#include "hearth/core/spec.h"

namespace hearth {

// The value itself when it has no more rows, is one value for the batch, or `rows` is negative.
[[nodiscard]] inline at::Tensor real_rows(const at::Tensor& value, const Spec& spec, int64_t rows) {
  if (rows < 0 || spec.is_per_batch || !value.defined() || value.dim() == 0) return value;
  return value.size(0) > rows ? value.narrow(0, 0, rows) : value;
}

}  // namespace hearth
