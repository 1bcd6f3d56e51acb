// Matrix products whose factors are rounded to bfloat16 and whose sums are float32. For processors
// with AVX-512's instructions for bfloat16.
//
// Both factors are copied as pairs, the right one as panels of 32 columns, the left one fourteen
// rows at a time.
#include "hearth/kernels/product/bfloat16_products_avx512bf16.h"

#include "hearth/kernels/product/bfloat16_lanes.h"

namespace hearth {
namespace {

constexpr int64_t kBlockPairs = 256;    // of the inner side, whose rows stay in the first cache
constexpr int64_t kBlockColumns = 512;  // whose panels stay in the second
// Rows of pairs that do not start at the same places of the cache.
constexpr int64_t kRowStride = kBlockPairs + kLanes;
constexpr int64_t kLeftPairs = kLanes * kRowStride;

// The part of the product that is at hand: values `first` to `first + inner` of the inner side.
struct InnerBlock {
  int64_t first;
  int64_t inner;
  [[nodiscard]] int64_t pairs() const { return (inner + 1) / 2; }
};

// left[row][pair]
void pack_left_straight(const Bfloat16Product& p, const InnerBlock& block, int64_t row,
                        int64_t rows, uint32_t* left) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* values = p.left + (row + r) * p.left_stride + block.first;
    for (int64_t k = 0; k < block.inner; k += 2 * kLanes)
      _mm512_store_si512(left + r * kRowStride + k / 2, pairs_along(values + k, block.inner - k));
  }
}

// left[pair][row]
void pack_left_turned(const Bfloat16Product& p, const InnerBlock& block, int64_t row, int64_t rows,
                      uint32_t* left) {
  for (int64_t pair = 0; pair < block.pairs(); ++pair) {
    const float* above = p.left + (block.first + 2 * pair) * p.left_stride + row;
    const float* below = 2 * pair + 1 < block.inner ? above + p.left_stride : nullptr;
    _mm512_store_si512(left + pair * kLanes, pairs_across(above, below, rows));
  }
}

struct Target {
  float* into;
  int64_t stride;
  int64_t columns;
  float scale;
  float keep;
};

template <int Rows, int Vectors, bool IsTurned>
void multiply_tile(const uint32_t* left, const uint32_t* panel, int64_t pairs,
                   const Target& target) {
  constexpr int64_t kRowStep = IsTurned ? 1 : kRowStride;
  constexpr int64_t kPairStep = IsTurned ? kLanes : 1;
  __m512 sums[Rows][Vectors] = {};
  for (int64_t pair = 0; pair < pairs; ++pair) {
    __m512bh right[Vectors];
    for (int v = 0; v < Vectors; ++v)
      right[v] =
          reinterpret_cast<__m512bh>(_mm512_load_si512(panel + pair * kPanelLanes + v * kLanes));
    for (int r = 0; r < Rows; ++r) {
      const auto factor = reinterpret_cast<__m512bh>(
          _mm512_set1_epi32(static_cast<int>(left[r * kRowStep + pair * kPairStep])));
      for (int v = 0; v < Vectors; ++v) sums[r][v] = _mm512_dpbf16_ps(sums[r][v], factor, right[v]);
    }
  }
  const __m512 scale = _mm512_set1_ps(target.scale);
  const __m512 keep = _mm512_set1_ps(target.keep);
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) {
      float* into = target.into + r * target.stride + v * kLanes;
      const __mmask16 lanes = first_lanes(target.columns - v * kLanes);
      __m512 value = _mm512_mul_ps(sums[r][v], scale);
      if (target.keep != 0)
        value = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(lanes, into), keep, value);
      _mm512_mask_storeu_ps(into, lanes, value);
    }
  }
}

using MultiplyTile = void (*)(const uint32_t*, const uint32_t*, int64_t, const Target&);

template <int Rows, bool IsTurned>
MultiplyTile tile_of(int64_t rows, int64_t columns) {
  if (rows == Rows)
    return columns > kLanes ? multiply_tile<Rows, 2, IsTurned> : multiply_tile<Rows, 1, IsTurned>;
  if constexpr (Rows > 1) {
    return tile_of<Rows - 1, IsTurned>(rows, columns);
  } else {
    return nullptr;
  }
}

void multiply_rows_of(const Bfloat16Product& p, const InnerBlock& block, int64_t row,
                      int64_t column, int64_t columns, const uint32_t* panels) {
  alignas(64) uint32_t left[kLeftPairs];
  const int64_t rows = least(kTileRows, p.rows - row);
  p.is_left_transposed ? pack_left_turned(p, block, row, rows, left)
                       : pack_left_straight(p, block, row, rows, left);
  for (int64_t at = 0; at < columns; at += kPanelLanes) {
    const Target target{p.into + row * p.stride + column + at, p.stride, columns - at, p.scale,
                        block.first == 0 ? p.keep : 1};
    const MultiplyTile multiply = p.is_left_transposed
                                      ? tile_of<kTileRows, true>(rows, columns - at)
                                      : tile_of<kTileRows, false>(rows, columns - at);
    multiply(left, panels + at * block.pairs(), block.pairs(), target);
  }
}

void pack_right(const Bfloat16Product& p, const InnerBlock& block, int64_t column, int64_t columns,
                uint32_t* panels) {
  for (int64_t at = 0; at < columns; at += kPanelLanes) {
    const int64_t first = column + at;
    const float* values = p.right + (p.is_right_transposed ? first * p.right_stride + block.first
                                                           : block.first * p.right_stride + first);
    const RightSide right{values, p.right_stride, p.columns - first, block.inner};
    p.is_right_transposed ? pack_right_turned(right, panels + at * block.pairs())
                          : pack_right_straight(right, panels + at * block.pairs());
  }
}

}  // namespace

int64_t bfloat16_panel_size(int64_t columns, int64_t inner) {
  const int64_t panels = (least(columns, kBlockColumns) + kPanelLanes - 1) / kPanelLanes;
  return panels * kPanelLanes * least((inner + 1) / 2, kBlockPairs);
}

void multiply_avx512bf16(const Bfloat16Product& p, uint32_t* panels) {
  for (int64_t column = 0; column < p.columns; column += kBlockColumns) {
    const int64_t columns = least(kBlockColumns, p.columns - column);
    for (int64_t first = 0; first < p.inner; first += 2 * kBlockPairs) {
      const InnerBlock block{first, least(2 * kBlockPairs, p.inner - first)};
      pack_right(p, block, column, columns, panels);
      for (int64_t row = 0; row < p.rows; row += kTileRows)
        multiply_rows_of(p, block, row, column, columns, panels);
    }
  }
}

}  // namespace hearth
