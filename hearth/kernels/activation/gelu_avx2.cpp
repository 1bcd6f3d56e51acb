// The exact gelu and its gradient. For processors with AVX2.
#include "hearth/kernels/activation/gelu_avx2.h"

#include <immintrin.h>

#include "hearth/kernels/exp_avx2.h"
#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

// The normal distribution at x: the share below it, and the density there.
struct Normal {
  __m256 below;
  __m256 density;
};

// The error function by Abramowitz and Stegun's 7.1.26, good to 1.5e-7; both parts share one
// exponential.
[[gnu::always_inline]] inline Normal normal_at(__m256 x) {
  const __m256 one = _mm256_set1_ps(1);
  const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
  const __m256 power = exp_avx2(_mm256_mul_ps(_mm256_mul_ps(x, x), _mm256_set1_ps(-0.5F)));
  // t = 1 / (1 + p |x| / sqrt(2))
  const __m256 t =
      _mm256_div_ps(one, _mm256_fmadd_ps(size, _mm256_set1_ps(0.3275911F * 0.70710678F), one));
  __m256 series = _mm256_set1_ps(1.061405429F);
  constexpr float kFactors[] = {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F};
  for (const float factor : kFactors) series = _mm256_fmadd_ps(series, t, _mm256_set1_ps(factor));
  // Half of what lies outside [-|x|, |x|].
  const __m256 tail =
      _mm256_mul_ps(_mm256_mul_ps(_mm256_mul_ps(series, t), power), _mm256_set1_ps(0.5F));
  return {_mm256_blendv_ps(_mm256_sub_ps(one, tail), tail, x),
          _mm256_mul_ps(power, _mm256_set1_ps(0.39894228F))};
}

__m256 gelu_lanes(__m256 x) { return _mm256_mul_ps(x, normal_at(x).below); }

__m256 gelu_slope(__m256 x) {
  const Normal normal = normal_at(x);
  return _mm256_fmadd_ps(x, normal.density, normal.below);
}

}  // namespace

void gelu_avx2(const float* input, float* output, int64_t count) {
  for (int64_t i = 0; i < count; i += kLanes)
    store_lanes(output + i, count - i, gelu_lanes(load_lanes(input + i, count - i)));
}

void gelu_gradient_avx2(const float* input, const float* gradient, float* result, int64_t count) {
  for (int64_t i = 0; i < count; i += kLanes) {
    const __m256 slope = gelu_slope(load_lanes(input + i, count - i));
    store_lanes(result + i, count - i, _mm256_mul_ps(load_lanes(gradient + i, count - i), slope));
  }
}

}  // namespace hearth
