// Bytes of images to floats, shifted and scaled by channel: the one pass that every image takes.
#pragma once

#include <cstdint>
#include <span>

namespace hearth {

// byte -> (byte - black) * per_step, rounded to float after each operation.
struct BytesToFloats {
  float black = 0;
  float per_step = 1;
};

// to[i] = unit(from[i]) * scale[c] + shift[c], where value i is of channel c = i % channels, in the
// same order of float operations on every machine.
void bytes_to_floats(std::span<const uint8_t> from, const BytesToFloats& unit,
                     std::span<const float> scale, std::span<const float> shift,
                     std::span<float> to);

}  // namespace hearth
