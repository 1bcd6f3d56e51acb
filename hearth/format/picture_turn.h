// How a camera was held: the turn that a picture file notes by EXIF, and doing it.
#pragma once

#include <cstdint>
#include <string_view>

#include "hearth/format/picture_part.h"

namespace hearth {

// EXIF's numbers. What must be done so that the picture stands upright.
enum class PictureTurn : uint8_t {
  kNone = 1,
  kMirror,          // left and right exchanged
  kHalf,            // by 180 degrees
  kMirrorHalf,      // top and bottom exchanged
  kTranspose,       // along the diagonal from the upper left
  kRight,           // by 90 degrees with the clock
  kTransposeOther,  // along the diagonal from the upper right
  kLeft             // by 90 degrees against the clock
};
[[nodiscard]] bool swaps_sides(PictureTurn turn);

// Of a JPEG, PNG or WebP file; kNone for all others, and for notes that are damaged.
[[nodiscard]] PictureTurn picture_turn(std::string_view file);

// Writes the turned points; `size` is that of `from`.
void turn_picture(const uint8_t* from, const PictureSize& size, int64_t channels, PictureTurn turn,
                  uint8_t* to);

}  // namespace hearth
