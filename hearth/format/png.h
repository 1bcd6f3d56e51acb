// PNG to and from Image, through libspng, within limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "hearth/format/image.h"

namespace hearth {

struct PngLimits {
  int64_t pixels = 1 << 26;
  int64_t side = 65'500;
};

// Eight bits a channel; `channels` is 1 (gray), 3 (RGB) or 4 (RGBA), whatever the file holds.
// Colour becomes luma in gray, and transparency is dropped without alpha. DataError names `what`.
[[nodiscard]] Image decode_png(std::string_view bytes, int64_t channels, const std::string& what,
                               const PngLimits& limits = {});
// The same into memory that `place` gives for height x width x channels bytes.
void decode_png_into(std::string_view bytes, int64_t channels, const std::string& what,
                     const std::function<uint8_t*(int64_t height, int64_t width)>& place,
                     const PngLimits& limits = {});
[[nodiscard]] bool is_png(std::string_view bytes);
[[nodiscard]] Image load_png(const std::filesystem::path& path, int64_t channels,
                             const PngLimits& limits = {});

[[nodiscard]] std::string encode_png(const Image& image);

}  // namespace hearth
