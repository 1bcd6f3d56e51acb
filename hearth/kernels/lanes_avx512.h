// Rows of values in vectors of sixteen, of which the last may be smaller. For processors with
// AVX-512; only for files that are compiled for them.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace hearth {

constexpr int64_t kManyLanes = 16;

struct WholeManyLanes {
  [[nodiscard]] __m512 load(const float* from) const { return _mm512_loadu_ps(from); }
  void store(float* to, __m512 values) const { _mm512_storeu_ps(to, values); }
};

// The first `count` lanes; the others are zeros and stay unwritten.
struct FirstManyLanes {
  explicit FirstManyLanes(int64_t count) : mask(static_cast<__mmask16>((1U << count) - 1)) {}
  [[nodiscard]] __m512 load(const float* from) const { return _mm512_maskz_loadu_ps(mask, from); }
  void store(float* to, __m512 values) const { _mm512_mask_storeu_ps(to, mask, values); }
  __mmask16 mask;
};

// Calls visit(begin, lanes) for all groups of sixteen values, the last of which may be smaller.
template <class Visit>
inline void for_each_many_lanes(int64_t size, const Visit& visit) {
  int64_t i = 0;
  for (; i + kManyLanes <= size; i += kManyLanes) visit(i, WholeManyLanes());
  if (i < size) visit(i, FirstManyLanes(size - i));
}

}  // namespace hearth
