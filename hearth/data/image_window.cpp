// A window of an image, and what becomes of images, masks, boxes and points in it.
#include "hearth/data/image_window.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/padding.h"

namespace hearth {

namespace {

void cut_pixels(const View& value, const ImageWindow& window, double fill, std::byte* to) {
  const int64_t height = value.shape[0];
  const int64_t width = value.shape[1];
  const int64_t per_point = elements_of(value.shape.subspan(2));
  const int64_t point = per_point * size_of(value.spec->dtype);
  const int64_t begin = std::clamp<int64_t>(-window.left, 0, window.size.width);
  const int64_t end = std::clamp<int64_t>(width - window.left, begin, window.size.width);
  const DType dtype = value.spec->dtype;
  for (int64_t y = 0; y < window.size.height; ++y, to += window.size.width * point) {
    const int64_t from = y + window.top;
    if (from < 0 || from >= height) {
      fill_with(dtype, fill, window.size.width * per_point, to);
      continue;
    }
    fill_with(dtype, fill, begin * per_point, to);
    std::memcpy(to + begin * point, value.data + (from * width + window.left + begin) * point,
                static_cast<size_t>((end - begin) * point));
    fill_with(dtype, fill, (window.size.width - end) * per_point, to + end * point);
  }
}

// x and y in turns, one pair for a point and two for a box.
void move_places(const View& value, const ImageWindow& window, std::span<float> to, bool is_cut) {
  const auto from = value.as<float>();
  const auto left = static_cast<float>(window.left);
  const auto top = static_cast<float>(window.top);
  for (size_t i = 0; i + 1 < from.size(); i += 2) {
    to[i] = from[i] - left;
    to[i + 1] = from[i + 1] - top;
    if (!is_cut) continue;
    to[i] = std::clamp(to[i], 0.0F, static_cast<float>(window.size.width));
    to[i + 1] = std::clamp(to[i + 1], 0.0F, static_cast<float>(window.size.height));
  }
}

}  // namespace

Spec window_spec(const Spec& spec, const ImageSize& size, const std::string& op,
                 const std::string& key) {
  if (spec.role != Role::kBoxes && spec.role != Role::kPoints)
    return resized_spec(spec, size, op, key);
  const int64_t numbers = spec.role == Role::kBoxes ? 4 : 2;
  if (spec.dtype == DType::kFloat32 && !spec.shape.empty() && spec.shape.back() == numbers)
    return spec;
  throw GraphError(op + ": key " + quote(key) + " holds " + std::string(name(spec.role)) +
                   " and must be float32 [B, ..., " + std::to_string(numbers) + "], but is " +
                   spec.text() + ".");
}

std::vector<Spec> window_specs(const std::vector<Spec>& specs, const ImageSize& size,
                               const std::string& op, const std::vector<std::string>& keys) {
  std::vector<Spec> windows;
  for (size_t k = 0; k < specs.size(); ++k)
    windows.push_back(window_spec(specs[k], size, op, keys[k]));
  return windows;
}

void require_image(const Spec& spec, const std::string& op, const std::string& key) {
  if (is_image(spec)) return;
  throw GraphError(op + ": the first key must be the image, [B, height, width, channels], but " +
                   quote(key) + " is " + spec.text() + " and " + std::string(name(spec.role)) +
                   ".");
}

void cut_window(const View& value, const ImageWindow& window, double fill, const Cell& to) {
  const Role role = value.spec->role;
  if (role == Role::kBoxes || role == Role::kPoints)
    return move_places(value, window, to.take(value.shape).as<float>(), role == Role::kBoxes);
  cut_pixels(value, window, fill, to.view().data);
}

}  // namespace hearth
