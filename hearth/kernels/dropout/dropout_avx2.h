// Eight values at a time of rows of which some become zero. For processors with AVX2.
#pragma once

#include "hearth/kernels/dropout/drop_rule.h"

namespace hearth {

// As `drop_row`, bit by bit.
void drop_row_avx2(const DropRule& rule, int64_t row, const float* input, float* output,
                   int64_t count);

}  // namespace hearth
