// The exact gelu and its gradient. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

void gelu_avx2(const float* input, float* output, int64_t count);
// result = gradient * gelu'(input)
void gelu_gradient_avx2(const float* input, const float* gradient, float* result, int64_t count);

}  // namespace hearth
