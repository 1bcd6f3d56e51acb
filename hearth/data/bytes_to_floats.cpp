// Bytes of images to floats. With one channel eight at a time where the processor can; each value
// goes through the same four roundings either way.
#include "hearth/data/bytes_to_floats.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hearth {

namespace {

float one_float(uint8_t byte, const BytesToFloats& unit, float scale, float shift) {
  const float value = (static_cast<float>(byte) - unit.black) * unit.per_step;
  return value * scale + shift;
}

#if defined(__x86_64__)

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

// How many it has done: all but the last few.
[[gnu::target("avx2")]] size_t alike_by_eight(std::span<const uint8_t> from,
                                              const BytesToFloats& unit, float scale, float shift,
                                              float* to) {
  const __m256 black = _mm256_set1_ps(unit.black);
  const __m256 per_step = _mm256_set1_ps(unit.per_step);
  const __m256 scales = _mm256_set1_ps(scale);
  const __m256 shifts = _mm256_set1_ps(shift);
  size_t i = 0;
  for (; i + 8 <= from.size(); i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from.data() + i));
    const __m256 value = _mm256_mul_ps(
        _mm256_sub_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)), black), per_step);
    _mm256_storeu_ps(to + i, _mm256_add_ps(_mm256_mul_ps(value, scales), shifts));
  }
  return i;
}

#else

bool has_avx2() { return false; }
size_t alike_by_eight(std::span<const uint8_t>, const BytesToFloats&, float, float, float*) {
  return 0;
}

#endif

void all_alike(std::span<const uint8_t> from, const BytesToFloats& unit, float scale, float shift,
               float* to) {
  size_t i = has_avx2() ? alike_by_eight(from, unit, scale, shift, to) : 0;
  for (; i < from.size(); ++i) to[i] = one_float(from[i], unit, scale, shift);
}

}  // namespace

void bytes_to_floats(std::span<const uint8_t> from, const BytesToFloats& unit,
                     std::span<const float> scale, std::span<const float> shift,
                     std::span<float> to) {
  if (scale.size() == 1) return all_alike(from, unit, scale[0], shift[0], to.data());
  for (size_t i = 0; i < from.size(); i += scale.size())
    for (size_t c = 0; c < scale.size(); ++c)
      to[i + c] = one_float(from[i + c], unit, scale[c], shift[c]);
}

}  // namespace hearth
