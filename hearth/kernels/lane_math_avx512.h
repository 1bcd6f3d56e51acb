// Arithmetic of sixteen floats, by the names of `lane_math_avx2.h`. For processors with AVX-512;
// only for files that are compiled for them.
#pragma once

#include <immintrin.h>

namespace hearth {

struct SixteenLanes {
  using Vector = __m512;
  using Mask = __mmask16;
  static Vector all(float value) { return _mm512_set1_ps(value); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm512_sub_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static Vector divide(Vector a, Vector b) { return _mm512_div_ps(a, b); }
  static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static Vector multiply_subtract(Vector a, Vector b, Vector c) {
    return _mm512_fnmadd_ps(a, b, c);
  }
  static Vector smaller(Vector a, Vector b) { return _mm512_min_ps(a, b); }
  static Vector larger(Vector a, Vector b) { return _mm512_max_ps(a, b); }
  static Vector nearest_whole(Vector a) {
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Vector power_of_two(Vector whole) {
    const __m512i exponent = _mm512_add_epi32(_mm512_cvtps_epi32(whole), _mm512_set1_epi32(127));
    return _mm512_castsi512_ps(_mm512_slli_epi32(exponent, 23));
  }
  static Vector without_sign(Vector a) { return _mm512_abs_ps(a); }
  static Mask is_less(Vector a, Vector b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  static Mask is_at_least(Vector a, Vector b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
  static Mask has_sign(Vector a) {
    return _mm512_cmplt_epi32_mask(_mm512_castps_si512(a), _mm512_setzero_si512());
  }
  static Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
  static Vector choose(Mask mask, Vector yes, Vector no) {
    return _mm512_mask_blend_ps(mask, no, yes);
  }
};

}  // namespace hearth
