// One update over all parameters of a model: many tensors, one pass, in which gradients are
// clipped and weights averaged too. The plain twin is `Optimizer::step` with LibTorch's operators.
#pragma once

#include <span>
#include <vector>

#include "hearth/base/crew.h"
#include "hearth/kernels/update/update_rule.h"

namespace hearth {

// Sums over gradients are made of parts of so many values: small, so that the threads of a small
// model have equal shares.
inline constexpr int64_t kUpdateChunk = 2048;

// Only where `has_vector_unit()`. Threads are LibTorch's, or the crew's where there is one; the
// bits do not depend on their number.
// A `clip_norm` above 0 scales all gradients together to at most this norm; what is in memory
// stays. Where formulas need norms of whole parameters it is two passes.
void update_spans(std::span<const UpdateSpan> spans, double clip_norm = 0, Crew* crew = nullptr);
// The same with all gradients multiplied by `scale`.
void update_scaled_spans(std::span<const UpdateSpan> spans, float scale, Crew* crew = nullptr);
// PyTorch's clip_grad_norm_: what gradients of this norm are multiplied by; a norm that is not a
// number makes a factor that is none.
[[nodiscard]] float clip_factor(double norm, double clip_norm);
// Sums of squares of the gradients' parts, of one span after the other's. Added up in this order
// they are the square of the norm below, to the bit.
[[nodiscard]] std::vector<double> gradient_squares(std::span<const UpdateSpan> spans,
                                                   Crew* crew = nullptr);
// Of all gradients together.
[[nodiscard]] double gradient_norm(std::span<const UpdateSpan> spans);

}  // namespace hearth
