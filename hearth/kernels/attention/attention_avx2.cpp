// Passes over rows of attention scores. For processors with AVX2.
#include "hearth/kernels/attention/attention_avx2.h"

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

double sum_doubles(__m256d values) {
  const __m128d half = _mm_add_pd(_mm256_castpd256_pd128(values), _mm256_extractf128_pd(values, 1));
  return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

}  // namespace

ExpSum softmax_avx2(float* scores, int64_t count, float share) {
  const float largest = largest_of(scores, count);
  __m256d low = _mm256_setzero_pd();
  __m256d high = _mm256_setzero_pd();
  for (int64_t i = 0; i < count; i += kLanes) {
    const __m256 moved = _mm256_sub_ps(load_scores(scores + i, count - i), _mm256_set1_ps(largest));
    const __m256 power = exp_avx2(moved);
    low = _mm256_add_pd(low, _mm256_cvtps_pd(_mm256_castps256_ps128(power)));
    high = _mm256_add_pd(high, _mm256_cvtps_pd(_mm256_extractf128_ps(power, 1)));
    store_lanes(scores + i, count - i, power);
  }
  const double sum = sum_doubles(_mm256_add_pd(low, high));
  const auto factor = static_cast<float>(share / sum);
  for (int64_t i = 0; i < count; ++i) scores[i] *= factor;
  return {largest, sum};
}

void softmax_gradient_avx2(const SoftmaxGradientPass& p, int64_t count) {
  const __m256 largest = _mm256_set1_ps(p.largest);
  const __m256 factor = _mm256_set1_ps(p.factor);
  for (int64_t i = 0; i < count; i += kLanes) {
    const __m256 moved = _mm256_sub_ps(load_scores(p.scores + i, count - i), largest);
    const __m256 weight = _mm256_mul_ps(exp_avx2(moved), factor);
    const __m256 pull =
        _mm256_sub_ps(load_lanes(p.gradients + i, count - i), _mm256_set1_ps(p.product));
    store_lanes(p.scores + i, count - i, weight);
    store_lanes(p.gradients + i, count - i,
                _mm256_mul_ps(_mm256_mul_ps(weight, pull), _mm256_set1_ps(p.scale)));
  }
}

float dot_avx2(const float* left, const float* right, int64_t count) {
  __m256 sums = _mm256_setzero_ps();
  for (int64_t i = 0; i < count; i += kLanes)
    sums = _mm256_fmadd_ps(load_lanes(left + i, count - i), load_lanes(right + i, count - i), sums);
  return sum_lanes(sums);
}

}  // namespace hearth
