// An image whose points have each moved a little.
#pragma once

#include <span>

#include "hearth/core/random.h"
#include "hearth/data/geometry/warp_rows.h"

namespace hearth {

// For each point of an image, in rows: how far from it the value comes.
struct Displacement {
  std::span<const float> across;
  std::span<const float> down;
};

class DisplacementTransform : public ImageTransform {
 public:
  // The displacement must outlive it.
  DisplacementTransform(const Displacement& displacement, const ImageSize& size,
                        const WarpStyle& style)
      : displacement_(displacement), size_(size), style_(style) {}

  [[nodiscard]] ImageSize size() const override { return size_; }
  void move_pixels(const View& from, std::byte* to) const override;
  [[nodiscard]] ImagePlace moved(const ImagePlace& place) const override;
  [[nodiscard]] int places_of_side() const override { return 16; }

 private:
  Displacement displacement_;
  ImageSize size_;
  WarpStyle style_;
};

// Noise between -1 and 1, smoothed by a Gaussian of this deviation in points, times `strength`.
// Memory of this thread, until the next call.
[[nodiscard]] Displacement random_displacement(Random& random, const ImageSize& size,
                                               double deviation, double strength);

}  // namespace hearth
