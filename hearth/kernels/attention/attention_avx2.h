// Passes over rows of attention scores. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

// The largest of some scores, and the sum of exp(score - largest) over them. Their logarithm in one
// number would lose the digits of the sum behind a large score.
struct ExpSum {
  float largest;
  double sum;
};

// scores[0, count) become their softmax times `share`. Nothing but minus infinity, or a score that
// is infinite or not a number, gives a row that is not a number.
ExpSum softmax_avx2(float* scores, int64_t count, float share = 1);

// Of one row: `scores` become weights, exp(score - largest) * factor, and `gradients`, of the
// weights, become those of the scores: weight * (gradient - product) * scale.
struct SoftmaxGradientPass {
  float* scores;
  float* gradients;
  float largest;
  float factor;
  float product;
  float scale;
};
void softmax_gradient_avx2(const SoftmaxGradientPass& pass, int64_t count);

[[nodiscard]] float dot_avx2(const float* left, const float* right, int64_t count);

}  // namespace hearth
