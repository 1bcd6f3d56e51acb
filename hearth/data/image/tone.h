// What changes every byte of an image by its value alone, or by how often values occur: as
// torchvision does it on tensors of bytes.
#pragma once

#include <cstdint>

#include "hearth/data/image/pixels.h"

namespace hearth::pixels {

void adjust_brightness(const Pixels& image, double factor);
// Towards or away from the mean of the image's gray. One or three channels.
void adjust_contrast(const Pixels& image, double factor);
void invert(const Pixels& image);
void posterize(const Pixels& image, int64_t bits);     // keeps the upper bits, 0 to 8
void solarize(const Pixels& image, double threshold);  // inverts what is not below it
void autocontrast(const Pixels& image);                // least to 0 and greatest to 255, by channel
void equalize(const Pixels& image);                    // all values about as often, by channel

}  // namespace hearth::pixels
