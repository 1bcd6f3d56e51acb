// Pictures of several samples side by side, each in a square cell.
#include "hearth/survey/picture_grid.h"

#include <algorithm>
#include <cmath>

#include "hearth/format/drawing.h"

namespace hearth {
namespace {

constexpr int64_t kCell = 96;
constexpr int64_t kMostColumns = 8;
constexpr Color kPaper = {235, 235, 235};

size_t first_of(const std::vector<KeySpec>& keys, Role role) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeySpec& key) {
    return key.spec.role == role && (role != Role::kImage || is_image(key.spec));
  });
  return static_cast<size_t>(found - keys.begin());
}

// From the darkest value that there is to the brightest, when nobody knows what black and white
// are.
std::pair<double, double> range_of(const View& image) {
  if (image.spec->image_range) return *image.spec->image_range;
  if (image.spec->dtype == DType::kUint8) return {0, 255};
  const auto values = image.as<float>();
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, *most};
}

uint8_t byte_of(double value, const std::pair<double, double>& range) {
  const double unit = range.second > range.first ? range.second - range.first : 1;
  const double share = (value - range.first) / unit;
  return std::isnan(share) ? 0 : static_cast<uint8_t>(std::clamp(share * 255 + 0.5, 0.0, 255.0));
}

// Red, green and blue; the first channel for all three when there are not as many.
Image colours_of(const View& image) {
  Image picture{image.shape[1], image.shape[0], 3, {}};
  const auto channels = static_cast<size_t>(image.shape[2]);
  const auto range = range_of(image);
  const bool is_bytes = image.spec->dtype == DType::kUint8;
  for (size_t point = 0; point < image.elements(); point += channels)
    for (size_t c = 0; c < 3; ++c) {
      const size_t at = point + (channels >= 3 ? c : 0);
      picture.pixels.push_back(
          byte_of(is_bytes ? image.as<uint8_t>()[at] : image.as<float>()[at], range));
    }
  return picture;
}

constexpr Color kBoxColor = {255, 40, 40};

void draw_boxes(Image& picture, const View& boxes, double scale) {
  const auto sides = boxes.as<float>();
  const auto place = [&](float side, int64_t most) {
    return std::isfinite(side)
               ? std::clamp<int64_t>(std::llround(side * scale), 0, std::max<int64_t>(most - 1, 0))
               : 0;
  };
  for (size_t i = 0; i + 3 < sides.size(); i += 4) {
    const int64_t left = place(sides[i], picture.width), top = place(sides[i + 1], picture.height);
    const int64_t right = place(sides[i + 2], picture.width);
    const int64_t bottom = place(sides[i + 3], picture.height);
    draw_frame(picture, {left, top, right - left + 1, bottom - top + 1}, kBoxColor);
  }
}

}  // namespace

PictureGrid::PictureGrid(const std::vector<KeySpec>& keys, int64_t samples)
    : image_key_(first_of(keys, Role::kImage)), boxes_key_(first_of(keys, Role::kBoxes)) {
  if (image_key_ == keys.size() || samples == 0) return;
  columns_ = std::min(samples, kMostColumns);
  const int64_t rows = (samples + columns_ - 1) / columns_;
  image_ = blank_picture(columns_ * kCell, rows * kCell, kPaper);
}

void PictureGrid::add(std::span<const View> values) {
  if (columns_ == 0 || values[image_key_].elements() == 0) return;
  const DType dtype = values[image_key_].spec->dtype;
  if (dtype != DType::kUint8 && dtype != DType::kFloat32) return;
  Image picture = colours_of(values[image_key_]);
  constexpr int64_t kInner = kCell - 4;
  const double scale =
      static_cast<double>(kInner) / static_cast<double>(std::max(picture.width, picture.height));
  const auto scaled = [&](int64_t side) {
    return std::max<int64_t>(std::llround(static_cast<double>(side) * scale), 1);
  };
  picture = resize(picture, scaled(picture.width), scaled(picture.height));
  if (boxes_key_ < values.size()) draw_boxes(picture, values[boxes_key_], scale);
  put(picture, next_++);
}

void PictureGrid::put(const Image& picture, int64_t cell) {
  const int64_t left = cell % columns_ * kCell + (kCell - picture.width) / 2;
  const int64_t top = cell / columns_ * kCell + (kCell - picture.height) / 2;
  paste(image_, picture, left, top);
}

}  // namespace hearth
