// Sigmoid and tanh of eight floats, within some units in the last place. For processors with AVX2;
// only for files that are compiled for them.
#pragma once

#include <immintrin.h>

#include "hearth/kernels/exp_avx2.h"

namespace hearth {

// Zero where the power is beyond floats: what it is multiplied by may be infinite.
inline __m256 sigmoid_avx2(__m256 x) {
  const __m256 one = _mm256_set1_ps(1);
  const __m256 negative = _mm256_xor_ps(_mm256_set1_ps(-0.0F), x);
  const __m256 is_beyond = _mm256_cmp_ps(negative, _mm256_set1_ps(88.0F), _CMP_GT_OQ);
  const __m256 infinite = _mm256_castsi256_ps(_mm256_set1_epi32(0x7F800000));
  const __m256 power = _mm256_blendv_ps(exp_avx2(negative), infinite, is_beyond);
  return _mm256_div_ps(one, _mm256_add_ps(one, power));
}

// e^y - 1 keeps its digits near zero: with y = n log(2) + r it is 2^n (e^r - 1) + (2^n - 1). What
// is not a number stays none.
inline __m256 expm1_avx2(__m256 y) {
  const __m256 bounded =
      _mm256_max_ps(_mm256_set1_ps(-40.0F), _mm256_min_ps(_mm256_set1_ps(40.0F), y));
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(bounded, _mm256_set1_ps(1.44269504F)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 most = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693145752F), bounded);
  const __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(1.42860677e-6F), most);
  __m256 series = _mm256_set1_ps(1.0F / 5040);
  constexpr float kFactors[] = {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F};
  for (const float factor : kFactors) series = _mm256_fmadd_ps(series, r, _mm256_set1_ps(factor));
  const __m256 below = _mm256_fmadd_ps(_mm256_mul_ps(series, r), r, r);
  const __m256 power = _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23));
  return _mm256_fmadd_ps(power, below, _mm256_sub_ps(power, _mm256_set1_ps(1)));
}

inline __m256 tanh_avx2(__m256 x) {
  const __m256 above = expm1_avx2(_mm256_add_ps(x, x));
  return _mm256_div_ps(above, _mm256_add_ps(above, _mm256_set1_ps(2)));
}

}  // namespace hearth
