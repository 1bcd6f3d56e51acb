// Vector instructions of x86-64 for other processors, as SIMDe writes them in theirs. Vector code
// is compiled there too, so that whoever writes it need not think of them; but no kernel chooses it
// there (hearth/base/processor.h).
#pragma once

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>

#include <cstdint>
#include <cstring>

// Below: what SIMDe 0.7 does not have or name. Later ones do, by macros.

#ifndef _MM_FROUND_NO_EXC
#define _MM_FROUND_NO_EXC SIMDE_MM_FROUND_NO_EXC
#endif

#ifndef __mmask16
using __mmask16 = simde__mmask16;
#endif

#ifndef _mm512_cvtps_epi32
inline __m512i _mm512_cvtps_epi32(__m512 vector) {
  __m256 halves[2];
  std::memcpy(halves, &vector, sizeof(halves));
  const __m256i whole[2] = {_mm256_cvtps_epi32(halves[0]), _mm256_cvtps_epi32(halves[1])};
  __m512i result;
  std::memcpy(&result, whole, sizeof(result));
  return result;
}
#endif

#ifndef _mm512_cmplt_epi32_mask
#define _mm512_cmplt_epi32_mask(a, b) _mm512_cmpgt_epi32_mask(b, a)
#endif

#ifndef _mm512_maskz_loadu_ps
inline __m512 _mm512_maskz_loadu_ps(__mmask16 lanes, const void* from) {
  float values[16] = {};
  for (int i = 0; i < 16; ++i)
    if ((lanes >> i & 1) != 0) values[i] = static_cast<const float*>(from)[i];
  return _mm512_loadu_ps(values);
}
#endif

#ifndef _mm512_mask_storeu_ps
inline void _mm512_mask_storeu_ps(void* to, __mmask16 lanes, __m512 vector) {
  float values[16];
  _mm512_storeu_ps(values, vector);
  for (int i = 0; i < 16; ++i)
    if ((lanes >> i & 1) != 0) static_cast<float*>(to)[i] = values[i];
}
#endif

#ifndef _mm512_mask_storeu_epi32
inline void _mm512_mask_storeu_epi32(void* to, __mmask16 lanes, __m512i vector) {
  int32_t values[16];
  std::memcpy(values, &vector, sizeof(values));
  for (int i = 0; i < 16; ++i)
    if ((lanes >> i & 1) != 0) static_cast<int32_t*>(to)[i] = values[i];
}
#endif

#ifndef _mm256_mask_storeu_epi16
inline void _mm256_mask_storeu_epi16(void* to, __mmask16 lanes, __m256i vector) {
  int16_t values[16];
  std::memcpy(values, &vector, sizeof(values));
  for (int i = 0; i < 16; ++i)
    if ((lanes >> i & 1) != 0) static_cast<int16_t*>(to)[i] = values[i];
}
#endif

#ifndef _mm512_cvtneps_pbh
// To the nearest, of two as near to the even one; what is not a number stays so.
inline uint16_t rounded_to_bfloat16(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  if (value != value) return static_cast<uint16_t>(bits >> 16U | 0x40U);
  return static_cast<uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

inline __m256bh _mm512_cvtneps_pbh(__m512 vector) {
  float values[16];
  _mm512_storeu_ps(values, vector);
  uint16_t rounded[16];
  for (int i = 0; i < 16; ++i) rounded[i] = rounded_to_bfloat16(values[i]);
  __m256bh result;
  std::memcpy(&result, rounded, sizeof(result));
  return result;
}

inline __m512bh _mm512_cvtne2ps_pbh(__m512 high, __m512 low) {
  const __m256bh halves[2] = {_mm512_cvtneps_pbh(low), _mm512_cvtneps_pbh(high)};
  __m512bh result;
  std::memcpy(&result, halves, sizeof(result));
  return result;
}
#endif
