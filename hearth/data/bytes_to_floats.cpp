// Bytes of images to floats, eight at a time where the processor can; each value goes through the
// same four roundings either way.
#include "hearth/data/bytes_to_floats.h"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "hearth/base/processor.h"

namespace hearth {

namespace {

float one_float(uint8_t byte, const BytesToFloats& unit, float scale, float shift) {
  const float value = (static_cast<float>(byte) - unit.black) * unit.per_step;
  return value * scale + shift;
}

#if defined(__x86_64__)

bool has_avx2() { return processor().has_avx2; }

// Factors of eight values in a row that start at any channel.
struct EightFactors {
  std::array<float, 8> scale;
  std::array<float, 8> shift;
};

// How many it has done: all but the last few. After as many blocks of eight as there are channels,
// values have the same factors again.
template <size_t channels>
[[gnu::target("avx2")]] size_t by_eight(std::span<const uint8_t> from, const BytesToFloats& unit,
                                        std::span<const float> scale, std::span<const float> shift,
                                        float* to) {
  std::array<EightFactors, channels> factors;
  for (size_t i = 0; i < 8 * channels; ++i) {
    factors[i / 8].scale[i % 8] = scale[i % channels];
    factors[i / 8].shift[i % 8] = shift[i % channels];
  }
  const __m256 black = _mm256_set1_ps(unit.black);
  const __m256 per_step = _mm256_set1_ps(unit.per_step);
  size_t i = 0;
  for (; i + 8 * channels <= from.size(); i += 8 * channels)
    for (size_t block = 0; block < channels; ++block) {
      const size_t at = i + 8 * block;
      const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from.data() + at));
      const __m256 value = _mm256_mul_ps(
          _mm256_sub_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)), black), per_step);
      _mm256_storeu_ps(
          to + at, _mm256_add_ps(_mm256_mul_ps(value, _mm256_loadu_ps(factors[block].scale.data())),
                                 _mm256_loadu_ps(factors[block].shift.data())));
    }
  return i;
}

#else

bool has_avx2() { return false; }
template <size_t channels>
size_t by_eight(std::span<const uint8_t>, const BytesToFloats&, std::span<const float>,
                std::span<const float>, float*) {
  return 0;
}

#endif

}  // namespace

void bytes_to_floats(std::span<const uint8_t> from, const BytesToFloats& unit,
                     std::span<const float> scale, std::span<const float> shift,
                     std::span<float> to) {
  size_t i = 0;
  if (has_avx2() && scale.size() == 1) i = by_eight<1>(from, unit, scale, shift, to.data());
  if (has_avx2() && scale.size() == 3) i = by_eight<3>(from, unit, scale, shift, to.data());
  for (; i < from.size(); ++i) {
    const size_t channel = i % scale.size();
    to[i] = one_float(from[i], unit, scale[channel], shift[channel]);
  }
}

}  // namespace hearth
