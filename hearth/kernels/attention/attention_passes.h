// Passes over rows of attention scores.
#pragma once

#include <cstdint>

namespace hearth {

// The largest of some scores, and the sum of exp(score - largest) over them. Their logarithm in one
// number would lose the digits of the sum behind a large score.
struct ExpSum {
  float largest;
  double sum;
};

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

// For one kind of processor.
struct AttentionPasses {
  // scores[0, count) become their softmax times `share`. Nothing but minus infinity, or a score
  // that is infinite or not a number, gives a row that is not a number.
  ExpSum (*softmax)(float* scores, int64_t count, float share);
  // With a sum that keeps the digits of powers far below the largest one.
  ExpSum (*fine_softmax)(float* scores, int64_t count, float share);
  void (*softmax_gradient)(const SoftmaxGradientPass& pass, int64_t count);
  // The sum of left[i] * right[i].
  float (*dot)(const float* left, const float* right, int64_t count);
};

// By the widest vectors there are. Only where `has_vector_unit()`.
[[nodiscard]] const AttentionPasses& attention_passes();

// What it chooses from.
[[nodiscard]] AttentionPasses attention_passes_avx2();
[[nodiscard]] AttentionPasses attention_passes_avx512();

}  // namespace hearth
