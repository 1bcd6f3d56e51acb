// Sums of rows by weights. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

// into[k] = the sum of weights[r] * rows[r * width + k] over `count` rows, for each of `width`
// values.
void sum_weighted_rows_avx2(const float* weights, int64_t count, const float* rows, int64_t width,
                            float* into);

}  // namespace hearth
