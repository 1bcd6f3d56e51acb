// WebP to bytes, through libwebp, within limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hearth/format/picture_part.h"

namespace hearth {

[[nodiscard]] bool is_webp(std::string_view bytes);
// From the header alone.
[[nodiscard]] PictureSize webp_size(std::string_view bytes, const std::string& what,
                                    const PictureLimits& limits = {});

// As decode_png_into: 1, 3 or 4 channels into memory that `place` gives. A file with several
// pictures, an animation, is a DataError.
void decode_webp_into(std::string_view bytes, int64_t channels, const std::string& what,
                      const PicturePlace& place, const PictureLimits& limits = {});

}  // namespace hearth
