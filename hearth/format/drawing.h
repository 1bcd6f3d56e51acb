// Drawing into RGB pictures: areas, frames, text, other pictures. What lies outside is left out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "hearth/format/image.h"

namespace hearth {

struct Color {
  uint8_t red = 0, green = 0, blue = 0;
  [[nodiscard]] bool operator==(const Color&) const = default;
};
inline constexpr Color kInk = {34, 34, 34};
inline constexpr Color kPaperColor = {255, 255, 255};
inline constexpr Color kFaint = {214, 214, 214};
inline constexpr Color kRight = {0, 114, 178};  // what is as it should be
inline constexpr Color kWrong = {213, 94, 0};   // what is not; told apart by the colour-blind too
// Colours of classes, which repeat; people who cannot tell red from green can tell them apart.
[[nodiscard]] Color class_color(int64_t number);
// `share` of the second, the rest of the first.
[[nodiscard]] Color mixed(const Color& first, const Color& second, double share);

struct Area {
  int64_t left = 0, top = 0, width = 0, height = 0;
};

[[nodiscard]] Image blank_picture(int64_t width, int64_t height, const Color& color = kPaperColor);
void fill(Image& picture, const Area& area, const Color& color);
// A frame of that many points, within the area.
void draw_frame(Image& picture, const Area& area, const Color& color, int64_t thickness = 1);
// An RGB picture, or a gray one.
void paste(Image& picture, const Image& other, int64_t left, int64_t top);

// Letters have a frame of kLetterWidth by kLetterHeight points, the gap on their right included.
inline constexpr int64_t kLetterWidth = 6;
inline constexpr int64_t kLetterHeight = 8;
[[nodiscard]] int64_t text_width(std::string_view text, int64_t scale = 1);
// As many letters as fit into the width, the last two as dots when some are left out. Letters
// beyond ASCII count once each.
[[nodiscard]] std::string fitted_text(std::string_view text, int64_t width, int64_t scale = 1);
void draw_text(Image& picture, int64_t left, int64_t top, std::string_view text,
               const Color& color = kInk, int64_t scale = 1);
// Upwards, beginning at the bottom.
void draw_text_up(Image& picture, int64_t left, int64_t bottom, std::string_view text,
                  const Color& color = kInk, int64_t scale = 1);

}  // namespace hearth
