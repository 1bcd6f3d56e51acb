// Fuzzes a decoder of pictures in all three forms.
#pragma once

#include <string_view>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/picture_part.h"

namespace hearth {

// decode(bytes, channels, what, place, limits)
template <class Decode>
int fuzz_decoder(const uint8_t* data, size_t size, const Decode& decode) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const int64_t channels : {1, 3, 4}) {
    try {
      std::vector<uint8_t> memory;
      const PicturePlace place = [&](int64_t height, int64_t width) {
        memory.resize(static_cast<size_t>(height * width * channels));
        return memory.data();
      };
      decode(bytes, channels, "fuzz", place, PictureLimits{.pixels = 1 << 16});
    } catch (const DataError&) {
    }
  }
  return 0;
}

}  // namespace hearth
