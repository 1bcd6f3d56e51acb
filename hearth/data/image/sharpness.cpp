// Sharpness: each row is mixed with what the rows around it were before.
#include <cstring>
#include <utility>

#include "hearth/data/image/blend.h"
#include "hearth/data/image/filter.h"
#include "hearth/data/image/scratch.h"
#include "hearth/data/image/wide_loop.h"

namespace hearth::pixels {

namespace {

// Three rows as they were; `below` and those that follow are yet to be changed.
struct RowsAround {
  const uint8_t* above;
  const uint8_t* here;
  const uint8_t* below;
};

// The middle counts five times, its eight neighbours once. Thirteenths are never halfway between
// two bytes, so a float is near enough to round right.
HEARTH_WIDE_LOOP void sharpen_inside(const RowsAround& rows, uint8_t* to, int64_t channels,
                                     int64_t row_bytes, const Blend& blend) {
  const uint8_t* above = rows.above;
  const uint8_t* here = rows.here;
  const uint8_t* below = rows.below;
  for (int64_t i = channels; i < row_bytes - channels; ++i) {
    const int64_t left = i - channels;
    const int64_t right = i + channels;
    const int32_t sum = above[left] + above[i] + above[right] + here[left] + 5 * here[i] +
                        here[right] + below[left] + below[i] + below[right];
    const auto smooth = static_cast<int32_t>(static_cast<float>(sum) * (1.0F / 13.0F) + 0.5F);
    to[i] = blend(here[i], static_cast<float>(smooth));
  }
}

// At the sides an image is as smooth as it is. What a blend with itself gives may be one less.
void blend_with_itself(uint8_t* bytes, int64_t count, const Blend& blend) {
  for (int64_t i = 0; i < count; ++i) bytes[i] = blend(bytes[i], bytes[i]);
}

}  // namespace

void adjust_sharpness(const Pixels& image, double factor) {
  if (image.height <= 2 || image.width <= 2) return;
  thread_local Scratch<uint8_t> scratch;
  const int64_t row_bytes = image.row_bytes();
  const auto saved = scratch.take(static_cast<size_t>(2 * row_bytes));
  uint8_t* above = saved.data();
  uint8_t* here = above + row_bytes;
  const Blend blend(factor);
  std::memcpy(above, image.bytes, static_cast<size_t>(row_bytes));
  blend_with_itself(image.bytes, row_bytes, blend);
  for (int64_t y = 1; y < image.height - 1; ++y) {
    uint8_t* row = image.bytes + y * row_bytes;
    std::memcpy(here, row, static_cast<size_t>(row_bytes));
    sharpen_inside({above, here, row + row_bytes}, row, image.channels, row_bytes, blend);
    blend_with_itself(row, image.channels, blend);
    blend_with_itself(row + row_bytes - image.channels, image.channels, blend);
    std::swap(above, here);
  }
  blend_with_itself(image.bytes + (image.height - 1) * row_bytes, row_bytes, blend);
}

}  // namespace hearth::pixels
