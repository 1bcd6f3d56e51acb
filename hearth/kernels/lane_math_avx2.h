// Arithmetic of eight floats, by names that `lane_math_avx512.h` has too: formulas are written once
// for both. For processors with AVX2; only for files that are compiled for them.
#pragma once

#include <immintrin.h>

namespace hearth {

struct EightLanes {
  using Vector = __m256;
  using Mask = __m256;
  static Vector all(float value) { return _mm256_set1_ps(value); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm256_sub_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Vector divide(Vector a, Vector b) { return _mm256_div_ps(a, b); }
  // a * b + c, and c - a * b.
  static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector multiply_subtract(Vector a, Vector b, Vector c) {
    return _mm256_fnmadd_ps(a, b, c);
  }
  // The second where either is not a number.
  static Vector smaller(Vector a, Vector b) { return _mm256_min_ps(a, b); }
  static Vector larger(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  static Vector nearest_whole(Vector a) {
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  // 2 to the power of whole numbers.
  static Vector power_of_two(Vector whole) {
    const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(whole), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23));
  }
  static Vector without_sign(Vector a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a); }
  static Mask is_less(Vector a, Vector b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
  static Mask is_at_least(Vector a, Vector b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
  static Mask has_sign(Vector a) { return a; }
  static Mask both(Mask a, Mask b) { return _mm256_and_ps(a, b); }
  static Vector choose(Mask mask, Vector yes, Vector no) { return _mm256_blendv_ps(no, yes, mask); }
};

}  // namespace hearth
