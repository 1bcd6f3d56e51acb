// A picture of bytes and plain operations on it; equal input gives equal bits on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hearth {

struct Image {
  int64_t width = 0;
  int64_t height = 0;
  int64_t channels = 0;         // 1 gray, 3 RGB, 4 RGBA
  std::vector<uint8_t> pixels;  // rows from the top; a pixel's channels lie together
  [[nodiscard]] bool operator==(const Image&) const = default;
};

// A picture whose bytes somebody else holds.
struct ImageView {
  int64_t width = 0;
  int64_t height = 0;
  int64_t channels = 0;
  const uint8_t* pixels = nullptr;
};

// Luma after ITU-R 601: 0.299, 0.587 and 0.114 of 2^16, together exactly 2^16.
[[nodiscard]] inline uint8_t luma(uint32_t red, uint32_t green, uint32_t blue) {
  return static_cast<uint8_t>((red * 19595U + green * 38470U + blue * 7471U + 32768U) >> 16);
}
// Alpha is dropped.
[[nodiscard]] Image to_gray(const Image& image);

// An RGBA picture laid over one colour: RGB.
[[nodiscard]] Image laid_over(const Image& image, const std::array<uint8_t, 3>& background);
// Whether any pixel of an RGBA picture lets something show through.
[[nodiscard]] bool is_transparent(const Image& image);

// Each axis for itself: the average of the covered area when it shrinks, linear between pixel
// centres when it grows.
[[nodiscard]] Image resize(const Image& image, int64_t width, int64_t height);
// The same into memory for height x width x channels bytes.
void resize_into(const ImageView& image, int64_t width, int64_t height, uint8_t* to);

}  // namespace hearth
