// Hue by way of hue, saturation and value, in the order of float operations that torchvision has.
// Some pixels at a time, colour by colour and without branches, for vector instructions.
#include <algorithm>
#include <array>

#include "hearth/data/image/color.h"
#include "hearth/data/image/wide_loop.h"

namespace hearth::pixels {

namespace {

constexpr int64_t kPixelsAtOnce = 256;

struct Planes {
  std::array<float, kPixelsAtOnce> red;
  std::array<float, kPixelsAtOnce> green;
  std::array<float, kPixelsAtOnce> blue;
};

struct Color {
  float red, green, blue;
};

inline float lesser(float left, float right) { return left < right ? left : right; }
inline float greater(float left, float right) { return left > right ? left : right; }
inline float unit(float value) { return lesser(greater(value, 0.0F), 1.0F); }

// Its place on the circle of colours, 0 to 1. A gray has none; `spread` is 1 then.
inline float hue_of(const Color& color, float most, float spread) {
  const float to_red = (most - color.red) / spread;
  const float to_green = (most - color.green) / spread;
  const float to_blue = (most - color.blue) / spread;
  const bool is_red = most == color.red;
  const bool is_green = most == color.green;
  const float third = is_red ? 0.0F : is_green ? 2.0F : 4.0F;
  const float forth = is_red ? to_blue : is_green ? to_red : to_green;
  const float back = is_red ? to_green : is_green ? to_blue : to_red;
  const float place = (third + forth - back) / 6.0F + 1.0F;
  return place - (place >= 1.0F ? 1.0F : 0.0F);
}

inline Color color_of(float hue, float saturation, float value) {
  const auto whole = static_cast<int32_t>(hue * 6.0F);
  const float within = hue * 6.0F - static_cast<float>(whole);
  const float low = unit(value * (1.0F - saturation));
  const float falling = unit(value * (1.0F - saturation * within));
  const float rising = unit(value * (1.0F - saturation * (1.0F - within)));
  const int32_t sixth = whole == 6 ? 0 : whole;
  Color color{low, low, low};
  color.red = ((sixth == 0) | (sixth == 5)) ? value : color.red;
  color.red = sixth == 1 ? falling : color.red;
  color.red = sixth == 4 ? rising : color.red;
  color.green = ((sixth == 1) | (sixth == 2)) ? value : color.green;
  color.green = sixth == 3 ? falling : color.green;
  color.green = sixth == 0 ? rising : color.green;
  color.blue = ((sixth == 3) | (sixth == 4)) ? value : color.blue;
  color.blue = sixth == 5 ? falling : color.blue;
  color.blue = sixth == 2 ? rising : color.blue;
  return color;
}

inline Color turned(const Color& color, float turn) {
  const float most = greater(greater(color.red, color.green), color.blue);
  const float spread = most - lesser(lesser(color.red, color.green), color.blue);
  const bool is_gray = spread == 0.0F;
  const float moved = hue_of(color, most, is_gray ? 1.0F : spread) + turn;
  const float back = moved >= 1.0F ? -1.0F : 0.0F;
  const float hue = moved + (moved < 0.0F ? 1.0F : back);
  return color_of(hue, spread / (is_gray ? 1.0F : most), most);
}

// Values of bytes, 0 to 255, without their fractions afterwards.
HEARTH_WIDE_LOOP void turn_planes(float* red, float* green, float* blue, float turn) {
  for (int64_t i = 0; i < kPixelsAtOnce; ++i) {
    const Color color = turned({red[i] / 255.0F, green[i] / 255.0F, blue[i] / 255.0F}, turn);
    red[i] = color.red * 255.0F;
    green[i] = color.green * 255.0F;
    blue[i] = color.blue * 255.0F;
  }
}

void turn_some(uint8_t* bytes, int64_t count, float turn, Planes& planes) {
  for (int64_t i = 0; i < count; ++i) {
    planes.red[static_cast<size_t>(i)] = bytes[3 * i];
    planes.green[static_cast<size_t>(i)] = bytes[3 * i + 1];
    planes.blue[static_cast<size_t>(i)] = bytes[3 * i + 2];
  }
  turn_planes(planes.red.data(), planes.green.data(), planes.blue.data(), turn);
  for (int64_t i = 0; i < count; ++i) {
    bytes[3 * i] = static_cast<uint8_t>(planes.red[static_cast<size_t>(i)]);
    bytes[3 * i + 1] = static_cast<uint8_t>(planes.green[static_cast<size_t>(i)]);
    bytes[3 * i + 2] = static_cast<uint8_t>(planes.blue[static_cast<size_t>(i)]);
  }
}

}  // namespace

void adjust_hue(const Pixels& image, double turn) {
  if (image.channels != 3) return;
  Planes planes{};
  for (int64_t i = 0; i < image.count(); i += kPixelsAtOnce)
    turn_some(image.bytes + 3 * i, std::min(kPixelsAtOnce, image.count() - i),
              static_cast<float>(turn), planes);
}

}  // namespace hearth::pixels
