// The products of a convolution with factors rounded to bfloat16 and float32 sums. For processors
// with AVX-512's instructions for bfloat16.
#include "hearth/kernels/convolution/tap_products_avx512bf16.h"

#include "hearth/kernels/product/bfloat16_lanes.h"

namespace hearth {
namespace {

static_assert(kTilePictures == kTileRows && kPictureLanes == kLanes &&
              kPanelChannels == kPanelLanes);

template <int Rows, int Vectors>
struct TapSums {
  __m512 sums[Rows][Vectors] = {};

  void add(const uint32_t* left, const uint32_t* right) {
    __m512bh factors[Vectors];
    for (int v = 0; v < Vectors; ++v)
      factors[v] = reinterpret_cast<__m512bh>(_mm512_loadu_si512(right + v * kLanes));
    for (int r = 0; r < Rows; ++r) {
      const auto factor = reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(left[r])));
      for (int v = 0; v < Vectors; ++v)
        sums[r][v] = _mm512_dpbf16_ps(sums[r][v], factor, factors[v]);
    }
  }

  void store(const TapTile& tile) const {
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Vectors; ++v) {
        const __mmask16 lanes = first_lanes(tile.columns - v * kLanes);
        float* into = tile.into + r * tile.stride + v * kLanes;
        __m512 value = sums[r][v];
        if (tile.adds) value = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, into), value);
        if (tile.bias != nullptr)
          value = _mm512_add_ps(value, _mm512_maskz_loadu_ps(lanes, tile.bias + v * kLanes));
        if (tile.relu)  // keeps what is not a number
          value = _mm512_mask_blend_ps(_mm512_cmp_ps_mask(value, __m512(), _CMP_LT_OQ), value,
                                       __m512());
        _mm512_mask_storeu_ps(into, lanes, value);
      }
    }
  }
};

template <int Rows, int Vectors>
void multiply_tap_tile(const TapTile& tile) {
  TapSums<Rows, Vectors> all;
  for (int64_t i = 0; i < tile.count; ++i) {
    const uint32_t* left = tile.segments[i].left + tile.left_first;
    const uint32_t* right = tile.segments[i].right + tile.right_first;
    for (int64_t pair = 0; pair < tile.pairs; ++pair) {
      all.add(left, right);
      left += tile.left_step;
      right += tile.right_step;
    }
  }
  all.store(tile);
}

template <int Rows>
void multiply_taps_of(const TapTile& tile) {
  if (tile.rows == Rows)
    return tile.columns > kLanes ? multiply_tap_tile<Rows, 2>(tile)
                                 : multiply_tap_tile<Rows, 1>(tile);
  if constexpr (Rows > 1) multiply_taps_of<Rows - 1>(tile);
}

}  // namespace

void multiply_taps(const TapTile& tile) { multiply_taps_of<kTileRows>(tile); }

void turn_channels(const float* values, int64_t stride, int64_t pictures, int64_t channels,
                   uint32_t* into) {
  turn_rows(values, stride, pictures, channels, into, kLanes);
}

void pair_values(const float* values, const float* others, int64_t count, uint32_t* into) {
  for (int64_t i = 0; i < count; i += kLanes)
    _mm512_mask_storeu_epi32(
        into + i, first_lanes(count - i),
        pairs_across(values + i, others == nullptr ? nullptr : others + i, count - i));
}

void pack_columns(const float* values, int64_t stride, int64_t columns, int64_t inner,
                  uint32_t* panel) {
  pack_right_turned({values, stride, columns, inner}, panel);
}

void pack_rows(const float* values, int64_t stride, int64_t columns, int64_t inner,
               uint32_t* panel) {
  pack_right_straight({values, stride, columns, inner}, panel);
}

}  // namespace hearth
