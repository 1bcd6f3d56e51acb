// Curves over an axis, as a picture, as SVG and for a terminal.
#pragma once

#include <string>
#include <vector>

#include "hearth/base/terminal.h"
#include "hearth/format/image.h"
#include "hearth/tracking/chart/canvas.h"
#include "hearth/tracking/chart/ticks.h"

namespace hearth {

struct ChartLine {
  std::string name;
  std::vector<Spot> points;  // from the left to the right
  bool is_raw = false;       // stands behind the smooth line that follows it, in the same colour
};

struct Chart {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  AxisKind x_kind = AxisKind::kCount;
  bool is_logarithmic = false;
  std::vector<ChartLine> lines = {};
};

struct ChartSize {
  int64_t width = 900;
  int64_t height = 540;
};

// What cannot be drawn, a sentence each: values that are no finite number, or not above zero on a
// logarithmic axis.
[[nodiscard]] std::vector<std::string> chart_notes(const Chart& chart);

[[nodiscard]] std::string chart_svg(const Chart& chart, const ChartSize& size = {});
[[nodiscard]] Image chart_image(const Chart& chart, const ChartSize& size = {});
// In lines of at most `width` letters; curves of dots, or of the letters a, b, c where colours
// cannot tell them apart.
[[nodiscard]] std::vector<TintedText> chart_text(const Chart& chart, size_t width, size_t height,
                                                 bool has_colours);

// Colours that those who see few can tell apart too, after Okabe and Ito; then again, dashed.
struct LineLook {
  Colour colour;
  int terminal_colour = 0;  // of the 256
  std::vector<double> dashes;
};
[[nodiscard]] LineLook look_of_line(size_t number);

// The ranges of the axes, and the points that can be drawn: all charts are laid out by it.
struct ChartLayout {
  Axis x;
  Axis y;
  struct Line {
    std::string name;
    size_t number = 0;  // of its look
    bool is_raw = false;
    std::vector<std::vector<Spot>> pieces;  // a value that cannot be drawn parts the line
  };
  std::vector<Line> lines;
};
[[nodiscard]] ChartLayout layout_of(const Chart& chart, int x_ticks, int y_ticks);

}  // namespace hearth
