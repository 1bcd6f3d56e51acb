// What mixes a pixel with those around it: sharpness and blur, as torchvision has them for tensors
// of bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "hearth/data/image/pixels.h"

namespace hearth::pixels {

// Towards (below 1) or away from the image smoothed by a 3 x 3 window. Images below 3 x 3 stay.
void adjust_sharpness(const Pixels& image, double factor);

inline constexpr int64_t kMostBlurPixels = 63;  // odd

// The weights of a Gaussian over an odd number of pixels; they sum to 1.
class GaussianWindow {
 public:
  GaussianWindow(int64_t pixels, double sigma);
  [[nodiscard]] std::span<const float> weights() const {
    return {weights_.data(), static_cast<size_t>(pixels_)};
  }
  [[nodiscard]] int64_t radius() const { return pixels_ / 2; }

 private:
  int64_t pixels_;
  std::array<float, kMostBlurPixels> weights_{};
};

// Beyond its sides the image is its own mirror image. Within one level of torchvision's, whose sums
// run in another order.
void gaussian_blur(const Pixels& image, const GaussianWindow& across, const GaussianWindow& down);

}  // namespace hearth::pixels
