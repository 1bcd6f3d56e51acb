// What an update over many parameters does beside formulas, for processors with AVX2 and FMA.
#pragma once

#include "hearth/kernels/update/update_rule.h"

namespace hearth {

// Of a parameter that stays.
void average_span_avx2(const UpdateSpan& span);
// Of the gradient, with those of replicas added to it.
[[nodiscard]] double gradient_squares_avx2(const UpdateSpan& span);

}  // namespace hearth
