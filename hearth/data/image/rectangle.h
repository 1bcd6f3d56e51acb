// Rectangles of an image that get other values, of bytes or floats.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/core/random.h"
#include "hearth/data/value.h"

namespace hearth {

struct Rectangle {
  int64_t top = 0;
  int64_t left = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// `fill` holds one number, or one for each channel. It lies within the image.
void fill_rectangle(const View& image, const Rectangle& rectangle, const std::vector<double>& fill);
// Bytes of any value with equal chance, or floats of mean 0 and deviation 1.
void fill_rectangle_with_noise(Random& random, const View& image, const Rectangle& rectangle);

}  // namespace hearth
