// One update over all parameters of a model: many tensors, one pass, in which gradients are
// clipped and weights averaged too. The plain twin is `Optimizer::step` with LibTorch's operators.
#pragma once

#include <span>

#include "hearth/base/crew.h"
#include "hearth/kernels/update/update_rule.h"

namespace hearth {

// Only where `has_vector_unit()`. Threads are LibTorch's, or the crew's where there is one; the
// bits do not depend on their number.
// A `clip_norm` above 0 scales all gradients together to at most this norm; what is in memory
// stays. Where formulas need norms of whole parameters it is two passes.
void update_spans(std::span<const UpdateSpan> spans, double clip_norm = 0, Crew* crew = nullptr);
// Of all gradients together.
[[nodiscard]] double gradient_norm(std::span<const UpdateSpan> spans);

}  // namespace hearth
