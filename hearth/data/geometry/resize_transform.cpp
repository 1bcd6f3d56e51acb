// Images by their filter, masks by the nearest point.
#include "hearth/data/geometry/resize_transform.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

template <size_t bytes>
void take_nearest_as(const std::byte* row, const ImageRegion& region, int64_t width,
                     std::byte* to) {
  for (int64_t x = 0; x < width; ++x)
    std::memcpy(to + static_cast<size_t>(x) * bytes,
                row + static_cast<size_t>(nearest_input(x, region.width, width)) * bytes, bytes);
}

void take_nearest_of(const std::byte* row, const ImageRegion& region, int64_t width, int64_t bytes,
                     std::byte* to) {
  for (int64_t x = 0; x < width; ++x)
    std::memcpy(to + x * bytes, row + nearest_input(x, region.width, width) * bytes,
                static_cast<size_t>(bytes));
}

void resize_mask(const View& mask, const ImageRegion& region, const ImageSize& size,
                 std::byte* to) {
  const int64_t point = elements_of(mask.shape.subspan(2)) * hearth::size_of(mask.spec->dtype);
  for (int64_t y = 0; y < size.height; ++y, to += size.width * point) {
    const int64_t from = region.top + nearest_input(y, region.height, size.height);
    const std::byte* row = mask.data + (from * mask.shape[1] + region.left) * point;
    if (point == 1)
      take_nearest_as<1>(row, region, size.width, to);
    else if (point == 8)
      take_nearest_as<8>(row, region, size.width, to);
    else
      take_nearest_of(row, region, size.width, point, to);
  }
}

}  // namespace

void ResizeTransform::move_pixels(const View& from, std::byte* to) const {
  if (from.spec->role == Role::kMask) return resize_mask(from, region_, size_, to);
  const auto shape = from.shape;
  if (from.spec->dtype == DType::kUint8)
    resize_region(ImageView{shape[1], shape[0], shape[2], from.as<uint8_t>().data()}, region_,
                  size_.height, size_.width, how_, reinterpret_cast<uint8_t*>(to));
  else
    resize_region(FloatImageView{shape[1], shape[0], shape[2], from.as<float>().data()}, region_,
                  size_.height, size_.width, how_, reinterpret_cast<float*>(to));
}

ImagePlace ResizeTransform::moved(const ImagePlace& place) const {
  const auto scaled = [](double at, int64_t start, int64_t in, int64_t out) {
    return (at - static_cast<double>(start)) * static_cast<double>(out) / static_cast<double>(in);
  };
  return {scaled(place.x, region_.left, region_.width, size_.width),
          scaled(place.y, region_.top, region_.height, size_.height)};
}

int64_t ResizeTransform::most_shrink() const {
  const bool averages = how_.filter == ResampleFilter::kArea ||
                        (how_.antialias && how_.filter != ResampleFilter::kNearest);
  const int64_t points = std::min(region_.height / size_.height, region_.width / size_.width);
  return averages ? std::max<int64_t>(1, points / 2) : 1;
}

ResizeTransform ResizeTransform::on_part(const PicturePart& part) const {
  const auto moved_side = [&](int64_t begin, int64_t length, int64_t start, int64_t room) {
    const auto rounded = [&](int64_t at) { return (at + part.shrink / 2) / part.shrink; };
    const int64_t from = std::clamp<int64_t>(rounded(begin) - start, 0, room - 1);
    const int64_t to = std::clamp(rounded(begin + length) - start, from + 1, room);
    return std::pair(from, to - from);
  };
  const PictureWindow& window = part.window;
  const auto [top, height] =
      moved_side(region_.top, region_.height, window.top, window.size.height);
  const auto [left, width] =
      moved_side(region_.left, region_.width, window.left, window.size.width);
  return {{top, left, height, width}, size_, how_};
}

void check_pixels(const Spec& image, const std::string& op, const std::string& key) {
  if (image.role == Role::kMask || image.dtype == DType::kUint8 || image.dtype == DType::kFloat32)
    return;
  throw GraphError(op + ": the image " + quote(key) + " must be of bytes or float32, but is " +
                   image.text() + ".");
}

ResampleFilter resample_filter(const std::string& name) {
  if (name == "nearest") return ResampleFilter::kNearest;
  if (name == "bilinear") return ResampleFilter::kBilinear;
  if (name == "bicubic") return ResampleFilter::kBicubic;
  return ResampleFilter::kArea;
}

}  // namespace hearth
