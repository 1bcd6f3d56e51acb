// Hue by way of hue, saturation and value, in the order of float operations that torchvision has.
#include <algorithm>
#include <array>
#include <cmath>

#include "hearth/data/image/color.h"

namespace hearth::pixels {

namespace {

struct Turned {
  float red, green, blue;
};

inline float unit(float value) { return std::clamp(value, 0.0F, 1.0F); }

// Its place on the circle of colours, 0 to 1.
inline float hue_of(float red, float green, float blue, float most, float spread) {
  const float to_red = (most - red) / spread;
  const float to_green = (most - green) / spread;
  const float to_blue = (most - blue) / spread;
  const float sixths = most == red     ? to_blue - to_green
                       : most == green ? 2.0F + to_red - to_blue
                                       : 4.0F + to_green - to_red;
  const float place = sixths / 6.0F + 1.0F;
  return place >= 1.0F ? place - 1.0F : place;
}

inline Turned color_of(float hue, float saturation, float value) {
  const float sixth = std::floor(hue * 6.0F);
  const float within = hue * 6.0F - sixth;
  const float low = unit(value * (1.0F - saturation));
  const float falling = unit(value * (1.0F - saturation * within));
  const float rising = unit(value * (1.0F - saturation * (1.0F - within)));
  switch (static_cast<int>(sixth) % 6) {
    case 0:
      return {value, rising, low};
    case 1:
      return {falling, value, low};
    case 2:
      return {low, value, rising};
    case 3:
      return {low, falling, value};
    case 4:
      return {rising, low, value};
    default:
      return {value, low, falling};
  }
}

inline void turn_pixel(uint8_t* pixel, float turn, const std::array<float, 256>& units) {
  const float red = units[pixel[0]];
  const float green = units[pixel[1]];
  const float blue = units[pixel[2]];
  const float most = std::max({red, green, blue});
  const float spread = most - std::min({red, green, blue});
  if (spread == 0.0F) {  // a gray has no hue
    const auto gray = static_cast<uint8_t>(most * 255.0F);
    std::fill_n(pixel, 3, gray);
    return;
  }
  float hue = hue_of(red, green, blue, most, spread) + turn;
  hue = hue < 0.0F ? hue + 1.0F : hue >= 1.0F ? hue - 1.0F : hue;
  const Turned color = color_of(hue, spread / most, most);
  pixel[0] = static_cast<uint8_t>(color.red * 255.0F);
  pixel[1] = static_cast<uint8_t>(color.green * 255.0F);
  pixel[2] = static_cast<uint8_t>(color.blue * 255.0F);
}

}  // namespace

void adjust_hue(const Pixels& image, double turn) {
  if (image.channels != 3) return;
  std::array<float, 256> units;
  for (size_t value = 0; value < units.size(); ++value)
    units[value] = static_cast<float>(value) / 255.0F;
  for (int64_t i = 0; i < image.count(); ++i)
    turn_pixel(image.bytes + 3 * i, static_cast<float>(turn), units);
}

}  // namespace hearth::pixels
