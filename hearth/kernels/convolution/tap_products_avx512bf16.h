// The products of a convolution with factors rounded to bfloat16 and float32 sums, over pictures
// laid out so that nothing has to be gathered. For processors with AVX-512's instructions for
// bfloat16.
#pragma once

#include <cstdint>

namespace hearth {

constexpr int64_t kTilePictures = 14;   // at most, that are multiplied together
constexpr int64_t kPictureLanes = 16;   // that their place in memory has room for
constexpr int64_t kPanelChannels = 32;  // of the output that are multiplied together

// A part of a sum: pairs of the left side, pairs of the right side.
struct TapSegment {
  const uint32_t* left;
  const uint32_t* right;
};

// into[row, column] = the sum over all segments and pairs of left[row] * right[column].
struct TapTile {
  const TapSegment* segments;
  int64_t count;
  int64_t pairs;       // of every segment
  int64_t left_step;   // from one pair to the next
  int64_t right_step;  // the same
  int64_t left_first;  // where the rows begin, behind a segment's start
  int64_t right_first;
  int64_t rows;     // up to 14
  int64_t columns;  // up to 32
  float* into;
  int64_t stride;
  bool adds;          // to what is there
  const float* bias;  // null for none
  bool relu;
};
void multiply_taps(const TapTile& tile);

// into[pair of channels][picture] of up to 16 pictures, `stride` values apart.
void turn_channels(const float* values, int64_t stride, int64_t pictures, int64_t channels,
                   uint32_t* into);
// into[i] = values[i] and, of the next picture, others[i]; null for none.
void pair_values(const float* values, const float* others, int64_t count, uint32_t* into);

// panel[pair][column] of up to 32 columns: of columns that lie as rows of `inner` values each, or
// of `inner` rows of columns.
void pack_columns(const float* values, int64_t stride, int64_t columns, int64_t inner,
                  uint32_t* panel);
void pack_rows(const float* values, int64_t stride, int64_t columns, int64_t inner,
               uint32_t* panel);

}  // namespace hearth
