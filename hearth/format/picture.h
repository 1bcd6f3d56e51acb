// A picture file of any format that can be read: PNG, JPEG, WebP, BMP, told by its first bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/format/image.h"
#include "hearth/format/picture_part.h"

namespace hearth {

// What the formats are called in messages: "PNG, JPEG, WebP or BMP".
inline constexpr std::string_view kPictureFormats = "PNG, JPEG, WebP or BMP";

[[nodiscard]] bool is_picture(std::string_view bytes);
// Whether a file of this name is one, by its ending: .png, .jpg, .jpeg, .jpe, .webp, .bmp, in
// letters of any size.
[[nodiscard]] bool has_picture_name(const std::filesystem::path& file);
// From the header alone.
[[nodiscard]] PictureSize picture_size(std::string_view bytes, const std::string& what);

// Bytes of height x width x channels into memory that `place` gives; `channels` is 1 (gray), 3
// (RGB) or 4 (RGBA), whatever the file holds. Profiles, gamma and the turn that a camera noted are
// not looked at. DataError names `what`, and what the file seems to be when it is none of these.
void decode_picture_into(std::string_view bytes, int64_t channels, const std::string& what,
                         const PicturePlace& place);
[[nodiscard]] Image decode_picture(std::string_view bytes, int64_t channels,
                                   const std::string& what);

// A part with little more work than it needs, where the format can: what comes back is the part
// that lies in the memory of `place`. It holds the one asked for, and may be more of the picture,
// or less shrunk.
[[nodiscard]] PicturePart decode_picture_part(std::string_view bytes, int64_t channels,
                                              const PicturePart& part, const std::string& what,
                                              const PicturePlace& place);

}  // namespace hearth
