// Rows of values in vectors of eight, of which the last may be smaller. For processors with AVX2;
// only for files that are compiled for them.
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

struct WholeLanes {
  [[nodiscard]] __m256 load(const float* from) const { return _mm256_loadu_ps(from); }
  void store(float* to, __m256 values) const { _mm256_storeu_ps(to, values); }
  [[nodiscard]] __m256 only(__m256 values) const { return values; }
};

// The first `count` lanes; the others are zeros and stay unwritten.
struct FirstLanes {
  explicit FirstLanes(int64_t count) : mask(first_lanes(count)) {}
  [[nodiscard]] __m256 load(const float* from) const { return _mm256_maskload_ps(from, mask); }
  void store(float* to, __m256 values) const { _mm256_maskstore_ps(to, mask, values); }
  // Zeros in the lanes that are none of them.
  [[nodiscard]] __m256 only(__m256 values) const {
    return _mm256_and_ps(values, _mm256_castsi256_ps(mask));
  }
  __m256i mask;
};

// Calls visit(begin, lanes) for all groups of eight values, the last of which may be smaller.
template <class Visit>
inline void for_each_group(int64_t size, const Visit& visit) {
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) visit(i, WholeLanes());
  if (i < size) visit(i, FirstLanes(size - i));
}

inline float sum_lanes(__m256 values) {
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps(values, 1));
  half = _mm_add_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_add_ss(half, _mm_shuffle_ps(half, half, 1)));
}

}  // namespace hearth
