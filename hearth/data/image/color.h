// What mixes the colours of a pixel, as torchvision does it on tensors of bytes. Images have three
// channels, red, green and blue, or one, on which these do nothing.
#pragma once

#include <cstdint>

#include "hearth/data/image/pixels.h"

namespace hearth::pixels {

// Every channel becomes the gray of its pixel.
void grayscale(const Pixels& image);
// Towards or away from the gray of each pixel.
void adjust_saturation(const Pixels& image, double factor);
// Turns the circle of colours by -0.5 to 0.5 of a whole turn.
void adjust_hue(const Pixels& image, double turn);
// The sum of all pixels' gray, of images of one channel too.
[[nodiscard]] int64_t gray_sum(const Pixels& image);

}  // namespace hearth::pixels
