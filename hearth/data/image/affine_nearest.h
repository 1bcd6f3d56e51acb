// An image moved by an affine map, each pixel taken from the nearest one, as torchvision's affine
// and rotate do it on tensors of bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "hearth/data/image/pixels.h"

namespace hearth::pixels {

// From places in the result to places in the image, measured from the image's middle:
// x' = m[0] x + m[1] y + m[2], y' = m[3] x + m[4] y + m[5].
using InverseMap = std::array<double, 6>;

// Pixels that come from outside of the image have the value `fill`, one number for each channel.
// Places halfway between two pixels go where torchvision's rounding sends them.
void affine_nearest(const Pixels& image, const InverseMap& map, std::span<const uint8_t> fill);

// The maps behind torchvision's `affine` for one kind of change each. A shear is the tangent of its
// angle, and leaves the image's upper left corner where it is.
[[nodiscard]] InverseMap shear_x(const Pixels& image, double amount);
[[nodiscard]] InverseMap shear_y(const Pixels& image, double amount);
[[nodiscard]] InverseMap translation(double x, double y);
[[nodiscard]] InverseMap rotation(double degrees);  // against the clock

}  // namespace hearth::pixels
