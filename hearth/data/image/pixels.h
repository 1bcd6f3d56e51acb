// The bytes of an image that are changed where they lie; the functions of this folder work on them.
#pragma once

#include <cstdint>
#include <span>

#include "hearth/data/value.h"

namespace hearth {

struct Pixels {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;
  uint8_t* bytes = nullptr;  // rows from the top; a pixel's channels lie together

  [[nodiscard]] int64_t count() const { return height * width; }
  [[nodiscard]] int64_t row_bytes() const { return width * channels; }
  [[nodiscard]] std::span<uint8_t> all() const {
    return {bytes, static_cast<size_t>(height * row_bytes())};
  }
};

// Of an image of bytes.
[[nodiscard]] inline Pixels pixels_of(const View& image) {
  return {image.shape[0], image.shape[1], image.shape[2], image.as<uint8_t>().data()};
}

}  // namespace hearth
