// Sizes and windows of pictures, and the part of one that a reader is asked for.
#pragma once

#include <cstdint>
#include <functional>

namespace hearth {

struct PictureSize {
  int64_t height = 0;
  int64_t width = 0;
  [[nodiscard]] bool operator==(const PictureSize&) const = default;
};

struct PictureWindow {
  int64_t top = 0;
  int64_t left = 0;
  PictureSize size = {};
  [[nodiscard]] bool operator==(const PictureWindow&) const = default;
};

// A window of a picture made smaller by a whole number: one point of it is the mean, or nearly, of
// `shrink` x `shrink` points of the file. `window` counts points of the smaller picture.
struct PicturePart {
  PictureWindow window = {};
  int64_t shrink = 1;
};

// Memory for height x width x channels bytes, asked for once the size is known.
using PicturePlace = std::function<uint8_t*(int64_t height, int64_t width)>;

struct PictureLimits {
  int64_t pixels = 1 << 26;
  int64_t side = 65'500;
};

}  // namespace hearth
