// Places are computed in the very steps of torch's grid: a grid over -1..1, then back to pixels.
// The way back torch multiplies and subtracts in one step: a double holds the product exactly.
#include "hearth/data/image/affine_nearest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "hearth/base/error.h"
#include "hearth/data/image/scratch.h"
#include "hearth/data/image/wide_loop.h"

namespace hearth::pixels {

namespace {

// One coordinate of where a row's pixels come from.
struct Axis {
  float along = 0;  // how much a step along the row moves it
  float down = 0;   // how much a step to the next row moves it
  float shift = 0;
  int32_t length = 0;  // of the image, in this coordinate

  Axis(double with_x, double with_y, double constant, int64_t pixels)
      : along(static_cast<float>(with_x) / half(pixels)),
        down(static_cast<float>(with_y) / half(pixels)),
        shift(static_cast<float>(constant) / half(pixels)),
        length(static_cast<int32_t>(pixels)) {}
  static float half(int64_t pixels) { return 0.5F * static_cast<float>(pixels); }
};

// The first pixel's middle, of some that lie around 0.
float first_place(int64_t pixels) { return -0.5F * static_cast<float>(pixels) + 0.5F; }

// The nearest pixel of each place in a row, halves to the even one; outside of the image it is -1
// or the image's length.
HEARTH_WIDE_LOOP void nearest_of(const Axis& axis, float first, float y, int64_t count,
                                 int32_t* to) {
  const float row = y * axis.down;
  const double half = 0.5 * axis.length;
  const float along = axis.along;
  const float shift = axis.shift;
  const auto length = static_cast<float>(axis.length);
  for (int32_t x = 0; x < static_cast<int32_t>(count); ++x) {
    const float grid = (first + static_cast<float>(x)) * along + row + shift;
    const auto place = static_cast<float>(static_cast<double>(grid + 1.0F) * half - 0.5);
    const float above = place > -1.0F ? place : -1.0F;
    const float cut = above < length ? above : length;
    to[x] = static_cast<int32_t>((cut + 0x1.8p23F) - 0x1.8p23F);
  }
}

// The offset of each pixel in the image, written over `y`, or `outside`.
HEARTH_WIDE_LOOP void offsets_of(const int32_t* x, int32_t* y, const Pixels& image,
                                 int32_t outside) {
  const auto count = static_cast<int32_t>(image.width);
  const auto width = static_cast<uint32_t>(image.width);
  const auto height = static_cast<uint32_t>(image.height);
  const auto channels = static_cast<uint32_t>(image.channels);
  for (int32_t i = 0; i < count; ++i) {
    const auto column = static_cast<uint32_t>(x[i]);
    const auto row = static_cast<uint32_t>(y[i]);
    const auto offset = static_cast<int32_t>((row * width + column) * channels);
    y[i] = ((column < width) & (row < height)) ? offset : outside;
  }
}

void gather_any(const uint8_t* from, const int32_t* offsets, const Pixels& image, uint8_t* to) {
  for (int64_t i = 0; i < image.width; ++i, to += image.channels)
    std::memcpy(to, from + offsets[i], static_cast<size_t>(image.channels));
}

// Four bytes at a time, the last of which the next pixel writes over.
void gather_three(const uint8_t* from, const int32_t* offsets, const Pixels& image, uint8_t* to) {
  const int64_t last = image.width - 1;
  for (int64_t i = 0; i < last; ++i) std::memcpy(to + 3 * i, from + offsets[i], 4);
  std::memcpy(to + 3 * last, from + offsets[last], 3);
}

void gather_one(const uint8_t* from, const int32_t* offsets, const Pixels& image, uint8_t* to) {
  for (int64_t i = 0; i < image.width; ++i) to[i] = from[offsets[i]];
}

auto gather_for(int64_t channels) {
  return channels == 3 ? gather_three : channels == 1 ? gather_one : gather_any;
}

// A copy of the image, with the fill behind it as if it were a further pixel, and a byte more for
// who reads four of three.
const uint8_t* copy_with_fill(const Pixels& image, std::span<const uint8_t> fill) {
  thread_local Scratch<uint8_t> scratch;
  const size_t size = image.all().size();
  const auto channels = static_cast<size_t>(image.channels);
  const auto copy = scratch.take(size + channels + 1);
  std::memcpy(copy.data(), image.bytes, size);
  std::memcpy(copy.data() + size, fill.data(), channels);
  return copy.data();
}

}  // namespace

void affine_nearest(const Pixels& image, const InverseMap& map, std::span<const uint8_t> fill) {
  const size_t size = image.all().size();
  if (size == 0) return;
  if (size > std::numeric_limits<int32_t>::max() - 256)
    throw DataError("an image of more than 2 GiB cannot be sheared, moved or turned.");
  thread_local Scratch<int32_t> scratch;
  const auto places = scratch.take(static_cast<size_t>(2 * image.width));
  const uint8_t* original = copy_with_fill(image, fill);
  const Axis to_x(map[0], map[1], map[2], image.width);
  const Axis to_y(map[3], map[4], map[5], image.height);
  const auto gather = gather_for(image.channels);
  int32_t* x = places.data();
  int32_t* y = x + image.width;
  for (int64_t row = 0; row < image.height; ++row) {
    const float down = first_place(image.height) + static_cast<float>(row);
    nearest_of(to_x, first_place(image.width), down, image.width, x);
    nearest_of(to_y, first_place(image.width), down, image.width, y);
    offsets_of(x, y, image, static_cast<int32_t>(size));
    gather(original, y, image, image.bytes + row * image.row_bytes());
  }
}

// The corner lies at (-width / 2, -height / 2), and must come from there.
InverseMap shear_x(const Pixels& image, double amount) {
  return {1, amount, amount * 0.5 * static_cast<double>(image.height), 0, 1, 0};
}

InverseMap shear_y(const Pixels& image, double amount) {
  return {1, 0, 0, amount, 1, amount * 0.5 * static_cast<double>(image.width)};
}

InverseMap translation(double x, double y) { return {1, 0, -x, 0, 1, -y}; }

InverseMap rotation(double degrees) {
  const double angle = degrees * std::numbers::pi / 180.0;
  return {std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0};
}

}  // namespace hearth::pixels
