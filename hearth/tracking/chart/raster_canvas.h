// Draws smooth lines and letters into a picture.
#pragma once

#include "hearth/format/image.h"
#include "hearth/tracking/chart/canvas.h"

namespace hearth {

class RasterCanvas : public Canvas {
 public:
  // White.
  RasterCanvas(int64_t width, int64_t height);
  void line(std::span<const Spot> spots, const Stroke& stroke) override;
  void disc(const Spot& middle, double radius, const Colour& colour, double opacity) override;
  void text(const Spot& at, const std::string& text, const TextStyle& style) override;
  [[nodiscard]] const Image& image() const { return image_; }

 private:
  // How much of each point a stroke covers; strokes that meet cover it once.
  void cover(const Spot& from, const Spot& to, double width);
  void cover_dashed(std::span<const Spot> spots, const Stroke& stroke);
  void blend(const Colour& colour, double opacity);

  Image image_;
  std::vector<float> cover_;
  int64_t left_, top_, right_, bottom_;  // of what is covered
};

}  // namespace hearth
