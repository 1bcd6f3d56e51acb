// What a chart is drawn on: a picture of points, or SVG.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hearth {

struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

// A place in points from the left and from the top.
struct Spot {
  double x = 0;
  double y = 0;
};

struct Stroke {
  Colour colour = {};
  double width = 1;
  double opacity = 1;
  std::vector<double> dashes = {};  // lengths of strokes and gaps in turns; empty: one stroke
};

enum class Anchor : uint8_t { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 12;  // of the line
  Colour colour = {};
  Anchor anchor = Anchor::kStart;
  bool is_turned = false;  // reads from the bottom to the top
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void line(std::span<const Spot> spots, const Stroke& stroke) = 0;
  virtual void disc(const Spot& middle, double radius, const Colour& colour, double opacity) = 0;
  // On a baseline that begins, has its middle or ends at the spot.
  virtual void text(const Spot& at, const std::string& text, const TextStyle& style) = 0;
};

// About as wide as any canvas draws it.
[[nodiscard]] double text_width(const std::string& text, double size);

}  // namespace hearth
