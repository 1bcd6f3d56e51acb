// Which rows of scores have their highest score where the label says.
#pragma once

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

namespace hearth {

// Float [B, C] beside int64 [B], both in order on the host.
[[nodiscard]] bool are_plain_rows(const at::Tensor& scores, const at::Tensor& labels);
// The number of the highest of a row of scores: as with `argmax`, the first of equal ones, and NaN
// before every number.
[[nodiscard]] int64_t best_class(const float* scores, int64_t classes);

// How many; a pass over memory where both lie on the host, float [B, C] beside int64 [B]: a small
// step's time would else go into LibTorch's calls. Nothing for other tensors. As with `argmax`, the
// first of equal scores wins, and NaN over every number.
[[nodiscard]] std::optional<int64_t> correct_rows(const at::Tensor& scores,
                                                  const at::Tensor& labels);

}  // namespace hearth
