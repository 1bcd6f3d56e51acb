// Eight values at a time of rows of which some become zero. For processors with AVX2.
#include "hearth/kernels/dropout/dropout_avx2.h"

#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

__m256i all_lanes(uint32_t value) { return _mm256_set1_epi32(static_cast<int>(value)); }

// The formula of drop_rule.cpp.
__m256i drawn_numbers(__m256i places, __m256i key) {
  __m256i x = _mm256_xor_si256(places, _mm256_srli_epi32(places, 16));
  x = _mm256_xor_si256(_mm256_mullo_epi32(x, all_lanes(0x7FEB352DU)), key);
  x = _mm256_xor_si256(x, _mm256_srli_epi32(x, 15));
  x = _mm256_mullo_epi32(x, all_lanes(0x846CA68BU));
  return _mm256_xor_si256(x, _mm256_srli_epi32(x, 16));
}

// There is only a comparison of numbers with a sign.
__m256i as_signed(__m256i numbers) { return _mm256_xor_si256(numbers, all_lanes(0x80000000U)); }

}  // namespace

void drop_row_avx2(const DropRule& rule, int64_t row, const float* input, float* output,
                   int64_t count) {
  const uint64_t keys = rule.keys(row);
  const __m256i key = all_lanes(static_cast<uint32_t>(keys >> 32));
  const __m256i limit = as_signed(all_lanes(rule.limit()));
  const __m256 factor = _mm256_set1_ps(rule.factor());
  const __m256i first = _mm256_add_epi32(all_lanes(static_cast<uint32_t>(keys)),
                                         _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  for_each_group(count, [&](int64_t i, const auto& lanes) {
    const __m256i places = _mm256_add_epi32(first, all_lanes(static_cast<uint32_t>(i)));
    const __m256i is_dropped = _mm256_cmpgt_epi32(limit, as_signed(drawn_numbers(places, key)));
    const __m256 scale = _mm256_andnot_ps(_mm256_castsi256_ps(is_dropped), factor);
    lanes.store(output + i, _mm256_mul_ps(lanes.load(input + i), scale));
  });
}

}  // namespace hearth
