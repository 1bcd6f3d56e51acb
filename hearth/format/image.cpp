// Resizing with whole-number weights: no rounding depends on the compiler.
#include "hearth/format/image.h"

#include <algorithm>
#include <string>

#include "hearth/base/error.h"

namespace hearth {

namespace {

constexpr int kWeightBits = 20;
constexpr int64_t kWeightOne = int64_t{1} << kWeightBits;
constexpr int64_t kImageSideLimit = 1 << 24;
constexpr int64_t kImagePixelLimit = 1 << 26;

// The inputs of one output: consecutive from `first`, with weights that sum to kWeightOne.
struct AxisTaps {
  int64_t first = 0;
  std::vector<int32_t> weights;
};

// Rounding the running sum instead of each share keeps the total exact.
void add_tap(AxisTaps& taps, int64_t before, int64_t after, int64_t whole) {
  const auto rounded = [&](int64_t part) { return (part * kWeightOne + whole / 2) / whole; };
  taps.weights.push_back(static_cast<int32_t>(rounded(after) - rounded(before)));
}

// Output `index` covers [index * in, (index + 1) * in) when an input is `out` long.
AxisTaps area_taps(int64_t index, int64_t in, int64_t out) {
  const int64_t begin = index * in, end = begin + in;
  AxisTaps taps{begin / out, {}};
  for (int64_t input = taps.first; input * out < end; ++input)
    add_tap(taps, std::max(input * out, begin) - begin, std::min((input + 1) * out, end) - begin,
            in);
  return taps;
}

// The centre of output `index`, in units of 1 / (2 * out) from the centre of the first input.
AxisTaps linear_taps(int64_t index, int64_t in, int64_t out) {
  const int64_t unit = 2 * out;
  const int64_t centre = std::clamp((2 * index + 1) * in - out, int64_t{0}, (in - 1) * unit);
  const int64_t first = std::min(centre / unit, std::max<int64_t>(in - 2, 0));
  AxisTaps taps{first, {}};
  const int64_t share = unit - (centre - first * unit);
  add_tap(taps, 0, share, unit);
  if (in > 1) add_tap(taps, share, unit, unit);
  return taps;
}

std::vector<AxisTaps> axis_taps(int64_t in, int64_t out) {
  std::vector<AxisTaps> all;
  all.reserve(static_cast<size_t>(out));
  for (int64_t index = 0; index < out; ++index)
    all.push_back(out <= in ? area_taps(index, in, out) : linear_taps(index, in, out));
  return all;
}

// One row of the picture at its new width, still scaled by kWeightOne.
void resize_row(const Image& image, int64_t y, const std::vector<AxisTaps>& columns,
                std::vector<int32_t>& out) {
  const uint8_t* row = image.pixels.data() + y * image.width * image.channels;
  size_t place = 0;
  for (const AxisTaps& taps : columns)
    for (int64_t channel = 0; channel < image.channels; ++channel) {
      const uint8_t* pixel = row + taps.first * image.channels + channel;
      int32_t sum = 0;
      for (const int32_t weight : taps.weights) {
        sum += weight * *pixel;
        pixel += image.channels;
      }
      out[place++] = sum;
    }
}

void add_weighted(std::vector<int64_t>& sums, const std::vector<int32_t>& row, int64_t weight) {
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += weight * row[i];
}

uint8_t unscaled(int64_t sum) {
  return static_cast<uint8_t>((sum + (kWeightOne * kWeightOne) / 2) >> (2 * kWeightBits));
}

void check_image(const Image& image) {
  if (image.width < 1 || image.height < 1 || image.channels < 1 ||
      image.pixels.size() != static_cast<size_t>(image.width) * static_cast<size_t>(image.height) *
                                 static_cast<size_t>(image.channels))
    throw InternalError("Image: width, height and channels do not fit the pixels.");
}

void check_new_size(int64_t width, int64_t height) {
  if (width < 1 || height < 1 || width > kImageSideLimit || height > kImageSideLimit ||
      width * height > kImagePixelLimit)
    throw ConfigError("Cannot resize an image to " + std::to_string(width) + " x " +
                      std::to_string(height) + " pixels: expected at least 1 x 1 and at most " +
                      std::to_string(kImagePixelLimit) + " pixels.");
}

}  // namespace

Image to_gray(const Image& image) {
  check_image(image);
  if (image.channels == 1) return image;
  if (image.channels < 3) throw InternalError("to_gray: expected 1, 3 or 4 channels.");
  Image gray{image.width, image.height, 1, {}};
  gray.pixels.reserve(static_cast<size_t>(image.width * image.height));
  for (size_t i = 0; i < image.pixels.size(); i += static_cast<size_t>(image.channels)) {
    // 0.299, 0.587 and 0.114 of 2^16, together exactly 2^16.
    const uint32_t luma = image.pixels[i] * 19595U + image.pixels[i + 1] * 38470U +
                          image.pixels[i + 2] * 7471U + 32768U;
    gray.pixels.push_back(static_cast<uint8_t>(luma >> 16));
  }
  return gray;
}

Image resize(const Image& image, int64_t width, int64_t height) {
  check_image(image);
  check_new_size(width, height);
  if (width == image.width && height == image.height) return image;
  const auto columns = axis_taps(image.width, width);
  const auto lines = axis_taps(image.height, height);
  Image result{width, height, image.channels, {}};
  const auto row_size = static_cast<size_t>(width * image.channels);
  result.pixels.reserve(row_size * static_cast<size_t>(height));
  std::vector<int32_t> row(row_size);
  int64_t row_is = -1;  // which input row `row` holds
  for (const AxisTaps& taps : lines) {
    std::vector<int64_t> sums(row_size);
    for (size_t tap = 0; tap < taps.weights.size(); ++tap) {
      const int64_t y = taps.first + static_cast<int64_t>(tap);
      if (y != row_is) resize_row(image, y, columns, row);
      row_is = y;
      add_weighted(sums, row, taps.weights[tap]);
    }
    for (const int64_t sum : sums) result.pixels.push_back(unscaled(sum));
  }
  return result;
}

}  // namespace hearth
