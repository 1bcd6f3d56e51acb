// Drawing into RGB pictures.
#include "hearth/format/drawing.h"

#include <algorithm>
#include <cmath>

#include "hearth/format/pixel_font.h"

namespace hearth {
namespace {

// Orange, sky, green, yellow, blue, vermilion, purple, grey: apart in brightness as in hue.
constexpr std::array<Color, 8> kClassColors = {{{230, 159, 0},
                                                {86, 180, 233},
                                                {0, 158, 115},
                                                {240, 228, 66},
                                                {0, 114, 178},
                                                {213, 94, 0},
                                                {204, 121, 167},
                                                {120, 120, 120}}};

// One byte for each letter: what is no ASCII becomes one that the font has no letter for.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char byte : text) {
    const auto bits = static_cast<unsigned char>(byte);
    if (bits >= 0x80 && bits < 0xC0) continue;  // the middle of a letter
    letters += bits >= 0x80 ? '\x7F' : byte;
  }
  return letters;
}

// Calls set(across, down) for the points of the text, from its left and top.
template <class Set>
void for_points(std::string_view text, int64_t scale, const Set& set) {
  const std::string letters = letters_of(text);
  for (size_t i = 0; i < letters.size(); ++i) {
    const Glyph& glyph = glyph_of(letters[i]);
    for (int64_t y = 0; y < kGlyphHeight * scale; ++y)
      for (int64_t x = 0; x < kGlyphWidth * scale; ++x)
        if ((glyph[static_cast<size_t>(y / scale)] >> (kGlyphWidth - 1 - x / scale)) & 1)
          set(static_cast<int64_t>(i) * kLetterWidth * scale + x, y);
  }
}

}  // namespace

Color class_color(int64_t number) {
  const auto count = static_cast<int64_t>(kClassColors.size());
  return kClassColors[static_cast<size_t>((number % count + count) % count)];
}

Color mixed(const Color& first, const Color& second, double share) {
  const auto mix = [&](uint8_t one, uint8_t other) {
    return static_cast<uint8_t>(
        std::lround(one + (static_cast<double>(other) - one) * std::clamp(share, 0.0, 1.0)));
  };
  return {mix(first.red, second.red), mix(first.green, second.green), mix(first.blue, second.blue)};
}

Image blank_picture(int64_t width, int64_t height, const Color& color) {
  Image picture{width, height, 3, {}};
  picture.pixels.resize(static_cast<size_t>(width * height * 3));
  fill(picture, {0, 0, width, height}, color);
  return picture;
}

void fill(Image& picture, const Area& area, const Color& color) {
  const int64_t left = std::max<int64_t>(area.left, 0);
  const int64_t right = std::min(area.left + area.width, picture.width);
  const int64_t bottom = std::min(area.top + area.height, picture.height);
  for (int64_t y = std::max<int64_t>(area.top, 0); y < bottom; ++y)
    for (int64_t x = left; x < right; ++x) {
      uint8_t* point = &picture.pixels[static_cast<size_t>((y * picture.width + x) * 3)];
      point[0] = color.red, point[1] = color.green, point[2] = color.blue;
    }
}

void draw_frame(Image& picture, const Area& area, const Color& color, int64_t thickness) {
  const int64_t wide = std::min(thickness, area.width), high = std::min(thickness, area.height);
  fill(picture, {area.left, area.top, area.width, high}, color);
  fill(picture, {area.left, area.top + area.height - high, area.width, high}, color);
  fill(picture, {area.left, area.top, wide, area.height}, color);
  fill(picture, {area.left + area.width - wide, area.top, wide, area.height}, color);
}

void paste(Image& picture, const Image& other, int64_t left, int64_t top) {
  for (int64_t y = std::max<int64_t>(-top, 0); y < other.height && top + y < picture.height; ++y)
    for (int64_t x = std::max<int64_t>(-left, 0); x < other.width && left + x < picture.width;
         ++x) {
      const uint8_t* from =
          &other.pixels[static_cast<size_t>((y * other.width + x) * other.channels)];
      uint8_t* to =
          &picture.pixels[static_cast<size_t>(((top + y) * picture.width + left + x) * 3)];
      for (int64_t c = 0; c < 3; ++c) to[c] = from[other.channels >= 3 ? c : 0];
    }
}

int64_t text_width(std::string_view text, int64_t scale) {
  return static_cast<int64_t>(letters_of(text).size()) * kLetterWidth * scale;
}

std::string fitted_text(std::string_view text, int64_t width, int64_t scale) {
  const std::string letters = letters_of(text);
  const auto most = static_cast<size_t>(std::max<int64_t>(width / (kLetterWidth * scale), 0));
  if (letters.size() <= most) return letters;
  return most < 3 ? letters.substr(0, most) : letters.substr(0, most - 2) + "..";
}

void draw_text(Image& picture, int64_t left, int64_t top, std::string_view text, const Color& color,
               int64_t scale) {
  for_points(text, scale, [&](int64_t x, int64_t y) {
    fill(picture, {left + x, top + y, 1, 1}, color);
  });
}

void draw_text_up(Image& picture, int64_t left, int64_t bottom, std::string_view text,
                  const Color& color, int64_t scale) {
  for_points(text, scale, [&](int64_t x, int64_t y) {
    fill(picture, {left + y, bottom - x, 1, 1}, color);
  });
}

}  // namespace hearth
