// Passes over rows of attention scores. For processors with AVX2.
#include "hearth/kernels/attention_avx2.h"

#include <immintrin.h>

#include <cmath>

#include "hearth/kernels/exp_avx2.h"
#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

// Eight scores, or as many as there are and scores that no softmax sees.
__m256 load_scores(const float* values, int64_t count) {
  if (count >= kLanes) return _mm256_loadu_ps(values);
  const __m256i lanes = first_lanes(count);
  return _mm256_blendv_ps(_mm256_set1_ps(-INFINITY), _mm256_maskload_ps(values, lanes),
                          _mm256_castsi256_ps(lanes));
}

float largest_lane(__m256 v) {
  __m128 half = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  half = _mm_max_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_max_ss(half, _mm_shuffle_ps(half, half, 1)));
}

float largest_of(const float* values, int64_t count) {
  __m256 largest = _mm256_set1_ps(-INFINITY);
  for (int64_t i = 0; i < count; i += kLanes)
    largest = _mm256_max_ps(largest, load_scores(values + i, count - i));
  return largest_lane(largest);
}

}  // namespace

float softmax_avx2(float* scores, int64_t count) {
  const float largest = largest_of(scores, count);
  if (largest == -INFINITY) {
    for (int64_t i = 0; i < count; ++i) scores[i] = 0;
    return INFINITY;
  }
  __m256 sums = _mm256_setzero_ps();
  for (int64_t i = 0; i < count; i += kLanes) {
    const __m256 moved = _mm256_sub_ps(load_scores(scores + i, count - i), _mm256_set1_ps(largest));
    const __m256 power = exp_avx2(moved);
    sums = _mm256_add_ps(sums, power);
    store_lanes(scores + i, count - i, power);
  }
  const float sum = sum_lanes(sums);
  const float factor = 1 / sum;
  for (int64_t i = 0; i < count; ++i) scores[i] *= factor;
  return largest + std::log(sum);
}

void softmax_gradient_avx2(float* scores, float* gradients, int64_t count, float log_sum,
                           float product, float scale) {
  for (int64_t i = 0; i < count; i += kLanes) {
    const __m256 moved = _mm256_sub_ps(load_scores(scores + i, count - i), _mm256_set1_ps(log_sum));
    const __m256 weight = exp_avx2(moved);
    const __m256 pull =
        _mm256_sub_ps(load_lanes(gradients + i, count - i), _mm256_set1_ps(product));
    store_lanes(scores + i, count - i, weight);
    store_lanes(gradients + i, count - i,
                _mm256_mul_ps(_mm256_mul_ps(weight, pull), _mm256_set1_ps(scale)));
  }
}

float dot_avx2(const float* left, const float* right, int64_t count) {
  __m256 sums = _mm256_setzero_ps();
  for (int64_t i = 0; i < count; i += kLanes)
    sums = _mm256_fmadd_ps(load_lanes(left + i, count - i), load_lanes(right + i, count - i), sums);
  return sum_lanes(sums);
}

}  // namespace hearth
