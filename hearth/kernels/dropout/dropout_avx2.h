// Rows of which some values become zero, by numbers that follow from their places: who asks again
// gets the same. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

struct DropRule {
  uint64_t seed = 0;
  double share = 0;  // below 1
};

// output[i] = input[i] * (0 or 1 / (1 - share)); in place if both are the same.
void drop_row_avx2(const DropRule& rule, int64_t row, const float* input, float* output,
                   int64_t count);

}  // namespace hearth
