// Interpolation of bytes in whole numbers, of floats in floats.
#include "hearth/data/geometry/warp_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hearth/data/padding.h"

namespace hearth {

namespace {

constexpr int kWarpBits = 11;  // of a share along one axis; two and a byte fit into 31
constexpr int32_t kWarpOne = 1 << kWarpBits;

// The point before a place along one axis, and how much the next one counts.
struct WarpStep {
  int64_t before = 0;
  int32_t share = 0;
};

WarpStep warp_step(double at) {
  const double before = std::floor(at);
  return {static_cast<int64_t>(before), static_cast<int32_t>((at - before) * kWarpOne + 0.5)};
}

uint8_t blended(uint8_t a, uint8_t b, uint8_t c, uint8_t d, int32_t x, int32_t y) {
  const int32_t upper = a * (kWarpOne - x) + b * x;
  const int32_t lower = c * (kWarpOne - x) + d * x;
  return static_cast<uint8_t>((upper * (kWarpOne - y) + lower * y + kWarpOne * kWarpOne / 2) >>
                              (2 * kWarpBits));
}

float blended(float a, float b, float c, float d, int32_t x, int32_t y) {
  const float right = static_cast<float>(x) / kWarpOne;
  const float below = static_cast<float>(y) / kWarpOne;
  const float upper = a * (1 - right) + b * right;
  const float lower = c * (1 - right) + d * right;
  return upper * (1 - below) + lower * below;
}

template <class Pixel>
class BilinearRow {
 public:
  BilinearRow(const View& from, double fill)
      : pixels_(reinterpret_cast<const Pixel*>(from.data)),
        height_(from.shape[0]),
        width_(from.shape[1]),
        channels_(from.shape[2]),
        fill_(static_cast<Pixel>(fill)) {}

  void run(std::span<const ImagePlace> places, Pixel* to) const {
    for (const ImagePlace& place : places) {
      const double x = place.x - 0.5, y = place.y - 0.5;
      // Also false for a place that is no number.
      if (x > -1 && x < static_cast<double>(width_) && y > -1 && y < static_cast<double>(height_))
        blend(warp_step(x), warp_step(y), to);
      else
        std::fill(to, to + channels_, fill_);
      to += channels_;
    }
  }

 private:
  void blend(const WarpStep& x, const WarpStep& y, Pixel* to) const {
    const bool is_inside =
        x.before >= 0 && x.before + 1 < width_ && y.before >= 0 && y.before + 1 < height_;
    if (!is_inside) return blend_at_side(x, y, to);
    const Pixel* upper = pixels_ + (y.before * width_ + x.before) * channels_;
    const Pixel* lower = upper + width_ * channels_;
    for (int64_t c = 0; c < channels_; ++c)
      to[c] =
          blended(upper[c], upper[c + channels_], lower[c], lower[c + channels_], x.share, y.share);
  }

  void blend_at_side(const WarpStep& x, const WarpStep& y, Pixel* to) const {
    const auto at = [&](int64_t row, int64_t column, int64_t channel) {
      if (row < 0 || row >= height_ || column < 0 || column >= width_) return fill_;
      return pixels_[(row * width_ + column) * channels_ + channel];
    };
    for (int64_t c = 0; c < channels_; ++c)
      to[c] = blended(at(y.before, x.before, c), at(y.before, x.before + 1, c),
                      at(y.before + 1, x.before, c), at(y.before + 1, x.before + 1, c), x.share,
                      y.share);
  }

  const Pixel* pixels_;
  int64_t height_, width_, channels_;
  Pixel fill_;
};

void nearest_row(const View& from, std::span<const ImagePlace> places, double fill, std::byte* to) {
  const auto height = static_cast<double>(from.shape[0]);
  const auto width = static_cast<double>(from.shape[1]);
  const int64_t per_point = elements_of(from.shape.subspan(2));
  const int64_t point = per_point * size_of(from.spec->dtype);
  for (const ImagePlace& place : places) {
    if (place.x >= 0 && place.x < width && place.y >= 0 && place.y < height) {
      const int64_t at =
          static_cast<int64_t>(place.y) * from.shape[1] + static_cast<int64_t>(place.x);
      std::memcpy(to, from.data + at * point, static_cast<size_t>(point));
    } else {
      fill_with(from.spec->dtype, fill, per_point, to);
    }
    to += point;
  }
}

}  // namespace

void warp_row(const View& from, std::span<const ImagePlace> places, const WarpStyle& style,
              std::byte* to) {
  const double fill = style.fill.of(*from.spec);
  if (from.spec->role == Role::kMask || !style.is_bilinear)
    return nearest_row(from, places, fill, to);
  if (from.spec->dtype == DType::kUint8)
    BilinearRow<uint8_t>(from, fill).run(places, reinterpret_cast<uint8_t*>(to));
  else
    BilinearRow<float>(from, fill).run(places, reinterpret_cast<float*>(to));
}

}  // namespace hearth
