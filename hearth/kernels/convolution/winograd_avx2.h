// Winograd's transforms for 3x3 convolutions with 4x4 outputs a tile, F(4x4, 3x3): 36 products take
// the place of 144. Images are channels-last, channels come in eights. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

constexpr int64_t kTileSide = 4;     // of the output
constexpr int64_t kPatchSide = 6;    // of the input that a tile needs
constexpr int64_t kTilePoints = 36;  // products of a tile, for each pair of channels

// An image and a place in it; what lies outside counts as zero and is not written.
struct TilePlace {
  int64_t height;
  int64_t width;
  int64_t channels;
  int64_t top;
  int64_t left;
};

// Point p of a tile's channel c lies at points[p * stride + c].
void input_points_avx2(const float* image, const TilePlace& place, float* points, int64_t stride);
void gradient_points_avx2(const float* gradient, const TilePlace& place, float* points,
                          int64_t stride);
// Writes the tile, with bias (null: none) and relu.
void tile_from_points_avx2(const float* points, int64_t stride, const float* bias, bool relu,
                           const TilePlace& place, float* image);

// Where the weights of one output channel lie: of input channel c and place t of the window, from 0
// to 8, at values[c * channel_step + t * tap_step].
struct TapPlace {
  float* values;
  int64_t channels;
  int64_t channel_step;
  int64_t tap_step;
};

// One output channel's weights to points and back. `rotated` turns each 3x3 by half a turn, as the
// input's gradient needs it.
void weight_points_avx2(const TapPlace& weight, bool rotated, float* points, int64_t stride);
void weight_from_points_avx2(const float* points, int64_t stride, const TapPlace& weight);

}  // namespace hearth
