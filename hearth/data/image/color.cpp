// Gray and saturation; every product and sum is rounded to float, so that the bits are
// torchvision's.
#include "hearth/data/image/color.h"

#include "hearth/data/image/blend.h"
#include "hearth/data/image/wide_loop.h"

namespace hearth::pixels {

namespace {

inline int32_t gray_of(const uint8_t* pixel) {
  const float light = 0.2989F * pixel[0] + 0.587F * pixel[1] + 0.114F * pixel[2];
  return static_cast<int32_t>(light);
}

HEARTH_WIDE_LOOP void make_gray(uint8_t* bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const auto gray = static_cast<uint8_t>(gray_of(bytes + 3 * i));
    bytes[3 * i] = gray;
    bytes[3 * i + 1] = gray;
    bytes[3 * i + 2] = gray;
  }
}

HEARTH_WIDE_LOOP void blend_with_gray(uint8_t* bytes, int64_t count, const Blend& blend) {
  for (int64_t i = 0; i < count; ++i) {
    const auto gray = static_cast<float>(gray_of(bytes + 3 * i));
    bytes[3 * i] = blend(bytes[3 * i], gray);
    bytes[3 * i + 1] = blend(bytes[3 * i + 1], gray);
    bytes[3 * i + 2] = blend(bytes[3 * i + 2], gray);
  }
}

// Of pixels that are few enough for 32 bits.
HEARTH_WIDE_LOOP int32_t gray_part(const uint8_t* bytes, int64_t count) {
  int32_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += gray_of(bytes + 3 * i);
  return sum;
}

}  // namespace

void grayscale(const Pixels& image) {
  if (image.channels == 3) make_gray(image.bytes, image.count());
}

void adjust_saturation(const Pixels& image, double factor) {
  if (image.channels == 3) blend_with_gray(image.bytes, image.count(), Blend(factor));
}

int64_t gray_sum(const Pixels& image) {
  int64_t sum = 0;
  if (image.channels == 3) {
    for (int64_t y = 0; y < image.height; ++y)
      sum += gray_part(image.bytes + y * image.row_bytes(), image.width);
  } else {
    for (const uint8_t value : image.all()) sum += value;
  }
  return sum;
}

}  // namespace hearth::pixels
