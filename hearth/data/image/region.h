// Rectangles of an image that get other values, of bytes or floats.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/core/random.h"
#include "hearth/data/value.h"

namespace hearth {

struct Region {
  int64_t top = 0;
  int64_t left = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// `fill` holds one number, or one for each channel. The region lies within the image.
void fill_region(const View& image, const Region& region, const std::vector<double>& fill);
// Bytes of any value with equal chance, or floats of mean 0 and deviation 1.
void fill_region_with_noise(Random& random, const View& image, const Region& region);

}  // namespace hearth
