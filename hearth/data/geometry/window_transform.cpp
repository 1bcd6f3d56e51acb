// Rows copied, filled up and reversed.
#include "hearth/data/geometry/window_transform.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hearth/data/padding.h"

namespace hearth {

namespace {

template <size_t bytes>
void reverse_as(std::byte* row, int64_t points) {
  struct Point {
    std::byte part[bytes];
  };
  auto* begin = reinterpret_cast<Point*>(row);
  std::reverse(begin, begin + points);
}

// Points of the sizes that images and masks have go at once.
void reverse_row(std::byte* row, int64_t points, int64_t bytes) {
  switch (bytes) {
    case 1:
      return reverse_as<1>(row, points);
    case 3:
      return reverse_as<3>(row, points);
    case 4:
      return reverse_as<4>(row, points);
    case 8:
      return reverse_as<8>(row, points);
    case 12:
      return reverse_as<12>(row, points);
    default:
      break;
  }
  for (int64_t left = 0, right = points - 1; left < right; ++left, --right)
    std::swap_ranges(row + left * bytes, row + (left + 1) * bytes, row + right * bytes);
}

}  // namespace

int64_t middle_start(int64_t left_over) {
  return left_over / 2 + (left_over % 2 != 0 && left_over / 2 % 2 != 0 ? 1 : 0);
}

void WindowTransform::move_pixels(const View& value, std::byte* to) const {
  const int64_t height = value.shape[0];
  const int64_t width = value.shape[1];
  const int64_t per_point = elements_of(value.shape.subspan(2));
  const DType dtype = value.spec->dtype;
  const int64_t point = per_point * hearth::size_of(dtype);
  const double fill = fill_.of(*value.spec);
  const auto [top, left, size] = window_;
  const int64_t begin = std::clamp<int64_t>(-left, 0, size.width);
  const int64_t end = std::clamp<int64_t>(width - left, begin, size.width);
  for (int64_t y = 0; y < size.height; ++y, to += size.width * point) {
    const int64_t from = top + (mirrored_.down ? size.height - 1 - y : y);
    if (from < 0 || from >= height) {
      fill_with(dtype, fill, size.width * per_point, to);
      continue;
    }
    fill_with(dtype, fill, begin * per_point, to);
    std::memcpy(to + begin * point, value.data + (from * width + left + begin) * point,
                static_cast<size_t>((end - begin) * point));
    fill_with(dtype, fill, (size.width - end) * per_point, to + end * point);
    if (mirrored_.across) reverse_row(to, size.width, point);
  }
}

ImagePlace WindowTransform::moved(const ImagePlace& place) const {
  const double x = place.x - static_cast<double>(window_.left);
  const double y = place.y - static_cast<double>(window_.top);
  return {mirrored_.across ? static_cast<double>(window_.size.width) - x : x,
          mirrored_.down ? static_cast<double>(window_.size.height) - y : y};
}

// One point of the image at least, even if the window shows none.
ImageRegion WindowTransform::needed(const ImageSize& image) const {
  const auto side = [](int64_t begin, int64_t length, int64_t room) {
    const int64_t from = std::clamp<int64_t>(begin, 0, room - 1);
    return std::pair(from, std::clamp(begin + length, from + 1, room) - from);
  };
  const auto [top, height] = side(window_.top, window_.size.height, image.height);
  const auto [left, width] = side(window_.left, window_.size.width, image.width);
  return {top, left, height, width};
}

WindowTransform WindowTransform::on_part(const PicturePart& part) const {
  WindowTransform moved = *this;
  moved.window_.top -= part.window.top;
  moved.window_.left -= part.window.left;
  return moved;
}

}  // namespace hearth
