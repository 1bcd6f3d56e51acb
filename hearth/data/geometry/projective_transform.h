// An image turned, stretched, sheared or seen from the side.
#pragma once

#include "hearth/data/geometry/projective_map.h"
#include "hearth/data/geometry/warp_rows.h"

namespace hearth {

class ProjectiveTransform : public ImageTransform {
 public:
  // `source` takes a place of the result to its place in the image.
  ProjectiveTransform(const ProjectiveMap& source, const ImageSize& size, const WarpStyle& style)
      : source_(source), forward_(source.inverted()), size_(size), style_(style) {}

  [[nodiscard]] ImageSize size() const override { return size_; }
  void move_pixels(const View& from, std::byte* to) const override {
    const auto find = [&](int64_t y, std::span<ImagePlace> places) {
      const double middle = static_cast<double>(y) + 0.5;
      if (source_.is_affine()) return find_along_line(middle, places);
      for (size_t x = 0; x < places.size(); ++x)
        places[x] = source_({static_cast<double>(x) + 0.5, middle});
    };
    warp_rows(from, size_, style_, find, to);
  }
  [[nodiscard]] ImagePlace moved(const ImagePlace& place) const override { return forward_(place); }

 private:
  // Steps of an affine map are all alike: no division for each.
  void find_along_line(double y, std::span<ImagePlace> places) const {
    const ImagePlace start = source_({0.5, y});
    const double across = source_.matrix[0], down = source_.matrix[3];
    for (size_t x = 0; x < places.size(); ++x)
      places[x] = {start.x + static_cast<double>(x) * across,
                   start.y + static_cast<double>(x) * down};
  }

  ProjectiveMap source_;
  ProjectiveMap forward_;
  ImageSize size_;
  WarpStyle style_;
};

[[nodiscard]] inline ImagePlace middle_of(const ImageSize& image) {
  return {static_cast<double>(image.width) / 2, static_cast<double>(image.height) / 2};
}

}  // namespace hearth
