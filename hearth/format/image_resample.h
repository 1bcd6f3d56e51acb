// A part of a picture brought to another size. Whole-number arithmetic for bytes: the same bits
// on every machine, and those of Pillow where it has the filter.
#pragma once

#include <cstdint>

#include "hearth/format/image.h"
#include "hearth/format/resample_table.h"

namespace hearth {

// A rectangle of points of a picture.
struct ImageRegion {
  int64_t top = 0;
  int64_t left = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// A picture of floats that somebody else holds; rows from the top, channels together.
struct FloatImageView {
  int64_t width = 0;
  int64_t height = 0;
  int64_t channels = 0;
  const float* pixels = nullptr;
};

[[nodiscard]] inline ImageRegion whole_of(const ImageView& image) {
  return {0, 0, image.height, image.width};
}

// Writes the region at `height` x `width` to memory for that many points. Points outside of the
// region do not count: the result is that of cutting it out first. It must lie in the picture, and
// have a point; InternalError otherwise. Nothing is allocated once a thread has seen the sizes.
void resize_region(const ImageView& image, const ImageRegion& region, int64_t height, int64_t width,
                   const Resampling& how, uint8_t* to);
void resize_region(const FloatImageView& image, const ImageRegion& region, int64_t height,
                   int64_t width, const Resampling& how, float* to);

}  // namespace hearth
