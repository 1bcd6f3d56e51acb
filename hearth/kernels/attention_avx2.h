// Passes over rows of attention scores. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

// scores[0, count) become their softmax; gives the logarithm of the sum of their exponentials, or
// infinity when every score is minus infinity, and then all become 0.
float softmax_avx2(float* scores, int64_t count);

// Of one row: `scores` become weights, exp(score - log_sum), and `gradients`, of the weights,
// become those of the scores: weight * (gradient - product) * scale.
void softmax_gradient_avx2(float* scores, float* gradients, int64_t count, float log_sum,
                           float product, float scale);

[[nodiscard]] float dot_avx2(const float* left, const float* right, int64_t count);

}  // namespace hearth
