// Rectangles of an image that get other values.
#include "hearth/data/image/rectangle.h"

#include <cmath>

namespace hearth {

namespace {

// give(channel) makes each value.
template <class T, class Give>
void write_rectangle(const View& image, const Rectangle& rectangle, const Give& give) {
  const int64_t channels = image.shape[2];
  for (int64_t y = rectangle.top; y < rectangle.top + rectangle.height; ++y) {
    T* to = image.as<T>().data() + (y * image.shape[1] + rectangle.left) * channels;
    for (int64_t x = 0; x < rectangle.width; ++x)
      for (int64_t c = 0; c < channels; ++c) *to++ = give(static_cast<size_t>(c));
  }
}

}  // namespace

void fill_rectangle(const View& image, const Rectangle& rectangle,
                    const std::vector<double>& fill) {
  const auto value = [&](size_t channel) { return fill.size() == 1 ? fill[0] : fill[channel]; };
  if (image.spec->dtype == DType::kUint8)
    write_rectangle<uint8_t>(image, rectangle, [&](size_t channel) {
      return static_cast<uint8_t>(std::nearbyint(value(channel)));
    });
  else
    write_rectangle<float>(image, rectangle,
                           [&](size_t channel) { return static_cast<float>(value(channel)); });
}

void fill_rectangle_with_noise(Random& random, const View& image, const Rectangle& rectangle) {
  if (image.spec->dtype == DType::kUint8)
    write_rectangle<uint8_t>(image, rectangle,
                             [&](size_t) { return static_cast<uint8_t>(random.bits() >> 24); });
  else
    write_rectangle<float>(image, rectangle, [&](size_t) { return random.normal(); });
}

}  // namespace hearth
