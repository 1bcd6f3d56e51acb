// The last few values of a row, in vectors of eight. For processors with AVX2; only for files that
// are compiled for them.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace hearth {

constexpr int64_t kLanes = 8;

// The first `count` lanes.
inline __m256i first_lanes(int64_t count) {
  const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), numbers);
}

// Eight values, or as many as there are and zeros.
inline __m256 load_lanes(const float* values, int64_t count) {
  return count >= kLanes ? _mm256_loadu_ps(values) : _mm256_maskload_ps(values, first_lanes(count));
}

inline void store_lanes(float* values, int64_t count, __m256 from) {
  if (count >= kLanes) {
    _mm256_storeu_ps(values, from);
  } else {
    _mm256_maskstore_ps(values, first_lanes(count), from);
  }
}

}  // namespace hearth
