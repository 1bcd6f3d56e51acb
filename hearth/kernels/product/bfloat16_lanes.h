// Pairs of bfloat16 in AVX-512 vectors: a product adds two pairs of neighbours along its inner side
// in one instruction. Only for files that are compiled for such processors: everything here is
// theirs alone.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace hearth {
namespace {

constexpr int64_t kLanes = 16;
constexpr int64_t kPanelLanes = 2 * kLanes;  // columns of a right side that are taken together
constexpr int kTileRows = 14;                // times two vectors leaves registers for the factors

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

inline __mmask16 first_lanes(int64_t count) {
  return count >= kLanes ? 0xFFFF : count <= 0 ? 0 : static_cast<__mmask16>((1U << count) - 1);
}

// Sixteen neighbours of which only `count` are there; the others are zeros.
inline __m512 some(const float* values, int64_t count) {
  return _mm512_maskz_loadu_ps(first_lanes(count), values);
}

// Neighbours become pairs: `count` values, up to 32.
inline __m512i pairs_along(const float* values, int64_t count) {
  if (count >= 2 * kLanes)
    return reinterpret_cast<__m512i>(
        _mm512_cvtne2ps_pbh(_mm512_loadu_ps(values + kLanes), _mm512_loadu_ps(values)));
  const __m512 low = some(values, count);
  if (count <= kLanes) return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(__m512(), low));
  return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(some(values + kLanes, count - kLanes), low));
}

// Values of two rows, one under the other, become pairs; of the second row there may be none.
inline __m512i pairs_across(const float* above, const float* below, int64_t count) {
  alignas(64) static constexpr uint16_t kTurn[32] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                                     21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                                     11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  const __m512 low = some(above, count);
  const __m512 high = below == nullptr ? __m512() : some(below, count);
  return _mm512_permutexvar_epi16(_mm512_load_si512(kTurn),
                                  reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low)));
}

// Sixteen rows of sixteen become columns.
inline void turn(__m512i* rows) {
  __m512i pairs[16];
  for (int i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  __m512i fours[16];
  for (int i = 0; i < 16; i += 4) {
    fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
    fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
    fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
  // Part q of fours[4 g + c] holds rows 4 g to 4 g + 3 of column 4 q + c.
  for (int c = 0; c < 4; ++c) {
    const __m512i low = _mm512_shuffle_i32x4(fours[c], fours[4 + c], 0x88);
    const __m512i low_odd = _mm512_shuffle_i32x4(fours[c], fours[4 + c], 0xDD);
    const __m512i high = _mm512_shuffle_i32x4(fours[8 + c], fours[12 + c], 0x88);
    const __m512i high_odd = _mm512_shuffle_i32x4(fours[8 + c], fours[12 + c], 0xDD);
    rows[c] = _mm512_shuffle_i32x4(low, high, 0x88);
    rows[8 + c] = _mm512_shuffle_i32x4(low, high, 0xDD);
    rows[4 + c] = _mm512_shuffle_i32x4(low_odd, high_odd, 0x88);
    rows[12 + c] = _mm512_shuffle_i32x4(low_odd, high_odd, 0xDD);
  }
}

// Neighbours along up to sixteen rows, `stride` apart, become into[pair][row], with `step` between
// two pairs.
inline void turn_rows(const float* rows, int64_t stride, int64_t there, int64_t inner,
                      uint32_t* into, int64_t step) {
  const int64_t pairs = (inner + 1) / 2;
  for (int64_t k = 0; k < inner; k += 2 * kLanes) {
    __m512i block[kLanes] = {};
    for (int64_t row = 0; row < there; ++row)
      block[row] = pairs_along(rows + row * stride + k, inner - k);
    turn(block);
    const int64_t count = least(kLanes, pairs - k / 2);
    for (int64_t i = 0; i < count; ++i) _mm512_store_si512(into + (k / 2 + i) * step, block[i]);
  }
}

// Columns of a product's right side.
struct RightSide {
  const float* values;
  int64_t stride;
  int64_t columns;
  int64_t inner;
};

// panel[pair][column] of up to 32 columns, which lie as rows.
inline void pack_right_turned(const RightSide& right, uint32_t* panel) {
  for (int64_t first = 0; first < kPanelLanes; first += kLanes)
    turn_rows(right.values + first * right.stride, right.stride,
              least(kLanes, right.columns - first), right.inner, panel + first, kPanelLanes);
}

inline void pack_right_straight(const RightSide& right, uint32_t* panel) {
  for (int64_t pair = 0; 2 * pair < right.inner; ++pair) {
    const float* above = right.values + 2 * pair * right.stride;
    const float* below = 2 * pair + 1 < right.inner ? above + right.stride : nullptr;
    for (int64_t first = 0; first < kPanelLanes; first += kLanes)
      _mm512_store_si512(panel + pair * kPanelLanes + first,
                         pairs_across(above + first, below == nullptr ? nullptr : below + first,
                                      right.columns - first));
  }
}

}  // namespace
}  // namespace hearth
