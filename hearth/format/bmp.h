// BMP (Windows bitmap) to bytes, within limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hearth/format/picture_part.h"

namespace hearth {

[[nodiscard]] bool is_bmp(std::string_view bytes);
// From the header alone.
[[nodiscard]] PictureSize bmp_size(std::string_view bytes, const std::string& what,
                                   const PictureLimits& limits = {});

// As decode_png_into: 1, 3 or 4 channels into memory that `place` gives. Palettes of 1, 4 and 8
// bits, and 16, 24 and 32 bits a pixel; a file with run lengths is a DataError.
void decode_bmp_into(std::string_view bytes, int64_t channels, const std::string& what,
                     const PicturePlace& place, const PictureLimits& limits = {});

}  // namespace hearth
