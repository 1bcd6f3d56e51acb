// Draws into a picture: a point is covered by as much as it lies within half the stroke's width.
#include "hearth/tracking/chart/raster_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hearth/tracking/chart/stroke_font.h"

namespace hearth {
namespace {

double distance_to(const Spot& point, const Spot& from, const Spot& to) {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  const double square = x * x + y * y;
  const double along =
      square > 0 ? std::clamp(((point.x - from.x) * x + (point.y - from.y) * y) / square, 0.0, 1.0)
                 : 0.0;
  return std::hypot(point.x - from.x - along * x, point.y - from.y - along * y);
}

}  // namespace

RasterCanvas::RasterCanvas(int64_t width, int64_t height)
    : image_{width, height, 3, std::vector<uint8_t>(static_cast<size_t>(width * height * 3), 255)},
      cover_(static_cast<size_t>(width * height)),
      left_(width),
      top_(height),
      right_(0),
      bottom_(0) {}

void RasterCanvas::cover(const Spot& from, const Spot& to, double width) {
  const double reach = width / 2 + 1;
  const auto within = [](double value, int64_t most) {
    return static_cast<int64_t>(std::clamp(value, 0.0, static_cast<double>(most)));
  };
  const int64_t left = within(std::floor(std::min(from.x, to.x) - reach), image_.width);
  const int64_t right = within(std::ceil(std::max(from.x, to.x) + reach), image_.width);
  const int64_t top = within(std::floor(std::min(from.y, to.y) - reach), image_.height);
  const int64_t bottom = within(std::ceil(std::max(from.y, to.y) + reach), image_.height);
  for (int64_t y = top; y < bottom; ++y)
    for (int64_t x = left; x < right; ++x) {
      const double away =
          distance_to({static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5}, from, to);
      const auto covered = static_cast<float>(std::clamp(width / 2 + 0.5 - away, 0.0, 1.0));
      float& now = cover_[static_cast<size_t>(y * image_.width + x)];
      now = std::max(now, covered);
    }
  left_ = std::min(left_, left);
  right_ = std::max(right_, right);
  top_ = std::min(top_, top);
  bottom_ = std::max(bottom_, bottom);
}

void RasterCanvas::blend(const Colour& colour, double opacity) {
  const std::array channels = {colour.red, colour.green, colour.blue};
  for (int64_t y = top_; y < bottom_; ++y)
    for (int64_t x = left_; x < right_; ++x) {
      const auto place = static_cast<size_t>(y * image_.width + x);
      const double share = opacity * std::exchange(cover_[place], 0.0F);
      for (size_t c = 0; c < 3; ++c) {
        uint8_t& pixel = image_.pixels[place * 3 + c];
        pixel = static_cast<uint8_t>(std::lround(pixel + share * (channels[c] - pixel)));
      }
    }
  left_ = image_.width;
  top_ = image_.height;
  right_ = bottom_ = 0;
}

void RasterCanvas::cover_dashed(std::span<const Spot> spots, const Stroke& stroke) {
  size_t dash = 0;
  double left = stroke.dashes.front();
  for (size_t i = 1; i < spots.size(); ++i) {
    Spot from = spots[i - 1];
    const Spot& to = spots[i];
    for (double length = std::hypot(to.x - from.x, to.y - from.y); length > 0;) {
      const double taken = std::min(length, left);
      const Spot end = {from.x + (to.x - from.x) * taken / length,
                        from.y + (to.y - from.y) * taken / length};
      if (dash % 2 == 0) cover(from, end, stroke.width);
      from = end;
      length -= taken;
      left -= taken;
      if (left <= 0) left = stroke.dashes[++dash % stroke.dashes.size()];
    }
  }
}

void RasterCanvas::line(std::span<const Spot> spots, const Stroke& stroke) {
  if (!stroke.dashes.empty())
    cover_dashed(spots, stroke);
  else
    for (size_t i = 1; i < spots.size(); ++i) cover(spots[i - 1], spots[i], stroke.width);
  blend(stroke.colour, stroke.opacity);
}

void RasterCanvas::disc(const Spot& middle, double radius, const Colour& colour, double opacity) {
  cover(middle, middle, 2 * radius);
  blend(colour, opacity);
}

void RasterCanvas::text(const Spot& at, const std::string& text, const TextStyle& style) {
  const double width = stroke_text_width(text, style.size);
  const double back = style.anchor == Anchor::kStart    ? 0
                      : style.anchor == Anchor::kMiddle ? width / 2
                                                        : width;
  for (const std::vector<Spot>& stroke : text_strokes(text, style.size)) {
    const auto placed = [&](const Spot& spot) -> Spot {
      if (style.is_turned) return {at.x + spot.y, at.y - (spot.x - back)};
      return {at.x + spot.x - back, at.y + spot.y};
    };
    for (size_t i = 1; i < stroke.size(); ++i)
      cover(placed(stroke[i - 1]), placed(stroke[i]), style.size / 11);
  }
  blend(style.colour, 1);
}

}  // namespace hearth
