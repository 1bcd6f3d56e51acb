// Rectangles of an image that get other values.
#include "hearth/data/image/region.h"

#include <cmath>

namespace hearth {

namespace {

// give(channel) makes each value.
template <class T, class Give>
void write_region(const View& image, const Region& region, const Give& give) {
  const int64_t channels = image.shape[2];
  for (int64_t y = region.top; y < region.top + region.height; ++y) {
    T* to = image.as<T>().data() + (y * image.shape[1] + region.left) * channels;
    for (int64_t x = 0; x < region.width; ++x)
      for (int64_t c = 0; c < channels; ++c) *to++ = give(static_cast<size_t>(c));
  }
}

}  // namespace

void fill_region(const View& image, const Region& region, const std::vector<double>& fill) {
  const auto value = [&](size_t channel) { return fill.size() == 1 ? fill[0] : fill[channel]; };
  if (image.spec->dtype == DType::kUint8)
    write_region<uint8_t>(image, region, [&](size_t channel) {
      return static_cast<uint8_t>(std::nearbyint(value(channel)));
    });
  else
    write_region<float>(image, region,
                        [&](size_t channel) { return static_cast<float>(value(channel)); });
}

void fill_region_with_noise(Random& random, const View& image, const Region& region) {
  if (image.spec->dtype == DType::kUint8)
    write_region<uint8_t>(image, region,
                          [&](size_t) { return static_cast<uint8_t>(random.bits() >> 24); });
  else
    write_region<float>(image, region, [&](size_t) { return random.normal(); });
}

}  // namespace hearth
