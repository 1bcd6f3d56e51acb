// Resizing with whole-number weights: no rounding depends on the compiler.
#include "hearth/format/image.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

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
  std::span<const int32_t> weights;
};

// The taps of all outputs along an axis, in two pieces of memory.
class AxisTable {
 public:
  AxisTable(int64_t in, int64_t out);
  [[nodiscard]] AxisTaps operator[](size_t index) const {
    const size_t begin = starts_[index].second;
    return {starts_[index].first,
            std::span(weights_).subspan(begin, starts_[index + 1].second - begin)};
  }
  [[nodiscard]] size_t size() const { return starts_.size() - 1; }

 private:
  // Rounding the running sum instead of each share keeps the total exact.
  void add_tap(int64_t before, int64_t after, int64_t whole) {
    const auto rounded = [&](int64_t part) { return (part * kWeightOne + whole / 2) / whole; };
    weights_.push_back(static_cast<int32_t>(rounded(after) - rounded(before)));
  }
  void add_area(int64_t index, int64_t in, int64_t out);
  void add_linear(int64_t index, int64_t in, int64_t out);

  std::vector<std::pair<int64_t, size_t>> starts_;  // first input, place of its weight
  std::vector<int32_t> weights_;
};

// Output `index` covers [index * in, (index + 1) * in) when an input is `out` long.
void AxisTable::add_area(int64_t index, int64_t in, int64_t out) {
  const int64_t begin = index * in, end = begin + in;
  const int64_t first = begin / out;
  starts_.emplace_back(first, weights_.size());
  for (int64_t input = first; input * out < end; ++input)
    add_tap(std::max(input * out, begin) - begin, std::min((input + 1) * out, end) - begin, in);
}

// The centre of output `index`, in units of 1 / (2 * out) from the centre of the first input.
void AxisTable::add_linear(int64_t index, int64_t in, int64_t out) {
  const int64_t unit = 2 * out;
  const int64_t centre = std::clamp((2 * index + 1) * in - out, int64_t{0}, (in - 1) * unit);
  const int64_t first = std::min(centre / unit, std::max<int64_t>(in - 2, 0));
  starts_.emplace_back(first, weights_.size());
  const int64_t share = unit - (centre - first * unit);
  add_tap(0, share, unit);
  if (in > 1) add_tap(share, unit, unit);
}

AxisTable::AxisTable(int64_t in, int64_t out) {
  starts_.reserve(static_cast<size_t>(out) + 1);
  weights_.reserve(static_cast<size_t>(2 * std::max(in, out)));
  for (int64_t index = 0; index < out; ++index)
    out <= in ? add_area(index, in, out) : add_linear(index, in, out);
  starts_.emplace_back(0, weights_.size());
}

// One row of the picture at its new width, still scaled by kWeightOne.
void resize_row(const ImageView& image, int64_t y, const AxisTable& columns,
                std::vector<int32_t>& out) {
  const uint8_t* row = image.pixels + y * image.width * image.channels;
  size_t place = 0;
  for (size_t x = 0; x < columns.size(); ++x) {
    const AxisTaps taps = columns[x];
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
  for (size_t i = 0; i < image.pixels.size(); i += static_cast<size_t>(image.channels))
    gray.pixels.push_back(luma(image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]));
  return gray;
}

bool is_transparent(const Image& image) {
  if (image.channels != 4) return false;
  for (size_t i = 3; i < image.pixels.size(); i += 4)
    if (image.pixels[i] != 255) return true;
  return false;
}

Image laid_over(const Image& image, const std::array<uint8_t, 3>& background) {
  check_image(image);
  if (image.channels != 4) throw InternalError("laid_over: expected 4 channels.");
  Image result{image.width, image.height, 3, {}};
  result.pixels.reserve(image.pixels.size() / 4 * 3);
  for (size_t i = 0; i < image.pixels.size(); i += 4) {
    const uint32_t alpha = image.pixels[i + 3];
    for (size_t c = 0; c < 3; ++c)
      result.pixels.push_back(static_cast<uint8_t>(
          (image.pixels[i + c] * alpha + background[c] * (255 - alpha) + 127) / 255));
  }
  return result;
}

void resize_into(const ImageView& image, int64_t width, int64_t height, uint8_t* to) {
  check_new_size(width, height);
  const auto row_size = static_cast<size_t>(width * image.channels);
  if (width == image.width && height == image.height) {
    std::copy(image.pixels, image.pixels + row_size * static_cast<size_t>(height), to);
    return;
  }
  const AxisTable columns(image.width, width);
  const AxisTable lines(image.height, height);
  std::vector<int32_t> row(row_size);
  std::vector<int64_t> sums(row_size);
  int64_t row_is = -1;  // which input row `row` holds
  for (size_t line = 0; line < lines.size(); ++line) {
    const AxisTaps taps = lines[line];
    std::fill(sums.begin(), sums.end(), 0);
    for (size_t tap = 0; tap < taps.weights.size(); ++tap) {
      const int64_t y = taps.first + static_cast<int64_t>(tap);
      if (y != row_is) resize_row(image, y, columns, row);
      row_is = y;
      add_weighted(sums, row, taps.weights[tap]);
    }
    for (const int64_t sum : sums) *to++ = unscaled(sum);
  }
}

Image resize(const Image& image, int64_t width, int64_t height) {
  check_image(image);
  check_new_size(width, height);
  Image result{width, height, image.channels, {}};
  result.pixels.resize(static_cast<size_t>(width * height * image.channels));
  resize_into({image.width, image.height, image.channels, image.pixels.data()}, width, height,
              result.pixels.data());
  return result;
}

}  // namespace hearth
