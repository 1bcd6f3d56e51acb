// JPEG to Image, whole or in part, through libjpeg-turbo, within limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hearth/format/image.h"
#include "hearth/format/picture_part.h"

namespace hearth {

struct JpegLimits {
  int64_t pixels = 1 << 26;
  int64_t side = 65'500;
  int64_t scans = 500;                        // each may cost as much as the whole picture
  int64_t memory_bytes = int64_t{512} << 20;  // of libjpeg, for a progressive file's coefficients
};

[[nodiscard]] bool is_jpeg(std::string_view bytes);
// From the header alone.
[[nodiscard]] PictureSize jpeg_size(std::string_view bytes, const std::string& what,
                                    const JpegLimits& limits = {});

// `channels` is 1 (gray), 3 (RGB) or 4 (RGBA, opaque), whatever the file holds; gray is the file's
// own luma. The slow, exact transform. Profiles and the turn that a camera noted are not looked
// at. What libjpeg only warns of, as of a file that ends too early, is a DataError too; it names
// `what`.
[[nodiscard]] Image decode_jpeg(std::string_view bytes, int64_t channels, const std::string& what,
                                const JpegLimits& limits = {});
// The same into memory that `place` gives for height x width x channels bytes.
void decode_jpeg_into(std::string_view bytes, int64_t channels, const std::string& what,
                      const PicturePlace& place, const JpegLimits& limits = {});

// Only a window, with little more work than it needs. What comes back is the window that lies in
// the memory of `place`: it holds the one asked for, whose points are those of the whole picture,
// and a few more around it that may be a little off. `part.shrink` is 1, 2, 4 or 8. That the file
// is not cut off is looked at; what else may be wrong below the window is not.
[[nodiscard]] PictureWindow decode_jpeg_part(std::string_view bytes, int64_t channels,
                                             const PicturePart& part, const std::string& what,
                                             const PicturePlace& place,
                                             const JpegLimits& limits = {});

}  // namespace hearth
