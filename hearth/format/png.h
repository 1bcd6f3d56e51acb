// PNG to and from Image, through libspng, within limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "hearth/format/image.h"
#include "hearth/format/picture_part.h"

namespace hearth {

using PngLimits = PictureLimits;

// Eight bits a channel; `channels` is 1 (gray), 3 (RGB) or 4 (RGBA), whatever the file holds.
// Colour becomes luma in gray, and transparency is dropped without alpha. DataError names `what`.
[[nodiscard]] Image decode_png(std::string_view bytes, int64_t channels, const std::string& what,
                               const PngLimits& limits = {});
// The same into memory that `place` gives for height x width x channels bytes.
void decode_png_into(std::string_view bytes, int64_t channels, const std::string& what,
                     const PicturePlace& place, const PngLimits& limits = {});
// A number for each point, as the file has it: what gray is, or which entry of the palette.
// DataError when the file has colours of its own.
void decode_png_numbers_into(std::string_view bytes, const std::string& what,
                             const PicturePlace& place, const PngLimits& limits = {});
[[nodiscard]] bool is_png(std::string_view bytes);
// From the header alone.
[[nodiscard]] PictureSize png_size(std::string_view bytes, const std::string& what,
                                   const PngLimits& limits = {});
[[nodiscard]] Image load_png(const std::filesystem::path& path, int64_t channels,
                             const PngLimits& limits = {});

[[nodiscard]] std::string encode_png(const Image& image);

}  // namespace hearth
