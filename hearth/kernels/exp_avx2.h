// e to the power of eight floats, within two units in the last place. For processors with AVX2;
// only for files that are compiled for them.
#pragma once

#include <immintrin.h>

namespace hearth {

// Minus infinity and anything below -87 give 0; above 88 the result stays finite. What is not a
// number stays none: minimum and maximum give their second operand then.
inline __m256 exp_avx2(__m256 x) {
  const __m256 too_small = _mm256_cmp_ps(x, _mm256_set1_ps(-87.0F), _CMP_LT_OQ);
  const __m256 bounded =
      _mm256_max_ps(_mm256_set1_ps(-87.0F), _mm256_min_ps(_mm256_set1_ps(88.0F), x));
  // x = n log(2) + r; log(2) in two parts, so that r keeps its digits.
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(bounded, _mm256_set1_ps(1.44269504F)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 most = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693145752F), bounded);
  const __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(1.42860677e-6F), most);
  __m256 series = _mm256_set1_ps(1.0F / 5040);
  constexpr float kFactors[] = {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F};
  for (const float factor : kFactors) series = _mm256_fmadd_ps(series, r, _mm256_set1_ps(factor));
  const __m256i power =
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  return _mm256_andnot_ps(too_small, _mm256_mul_ps(series, _mm256_castsi256_ps(power)));
}

}  // namespace hearth
