// Which rows of scores have their highest score where the label says.
#pragma once

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

namespace hearth {

// How many; a pass over memory where both lie on the host, float [B, C] beside int64 [B]: a small
// step's time would else go into LibTorch's calls. Nothing for other tensors. As with `argmax`, the
// first of equal scores wins, and NaN over every number.
[[nodiscard]] std::optional<int64_t> correct_rows(const at::Tensor& scores,
                                                  const at::Tensor& labels);

}  // namespace hearth
