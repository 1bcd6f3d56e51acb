// Draws a chart on any canvas: title, legend, axes, grid, lines.
#include "hearth/tracking/chart/chart_drawing.h"

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

constexpr Colour kInk = {34, 34, 34};
constexpr Colour kSoft = {102, 102, 102};
constexpr Colour kGrid = {228, 228, 228};
constexpr double kTextSize = 13;
constexpr double kTitleSize = 16;
constexpr double kRowHeight = 20;
constexpr double kMargin = 14;
constexpr double kLegendStroke = 26;
constexpr size_t kFewPoints = 40;  // each is marked
constexpr double kRawOpacity = 0.35;

class ChartDrawing {
 public:
  ChartDrawing(const Chart& chart, const ChartSize& size, Canvas& canvas)
      : chart_(chart),
        canvas_(canvas),
        width_(static_cast<double>(size.width)),
        height_(static_cast<double>(size.height)),
        layout_(layout_of(chart, std::clamp(static_cast<int>(size.width / 110), 2, 12),
                          std::clamp(static_cast<int>(size.height / 60), 2, 12))) {}

  void draw() {
    top_ = kMargin;
    if (!chart_.title.empty()) draw_title();
    draw_legend();
    top_ += kRowHeight / 2;
    bottom_ = height_ - kMargin - 2 * kRowHeight;
    double widest = 0;
    for (const Tick& tick : layout_.y.ticks)
      widest = std::max(widest, text_width(tick.label, kTextSize));
    left_ = kMargin + (chart_.y_label.empty() ? 0 : kRowHeight) + widest + 8;
    right_ = width_ - kMargin - 10;
    draw_axes();
    for (const ChartLayout::Line& line : layout_.lines) draw_line(line);
  }

 private:
  [[nodiscard]] double place_x(double value) const {
    return left_ + layout_.x.share(value) * (right_ - left_);
  }
  [[nodiscard]] double place_y(double value) const {
    return bottom_ - layout_.y.share(value) * (bottom_ - top_);
  }

  void draw_title() {
    canvas_.text({kMargin, top_ + kTitleSize}, chart_.title, {kTitleSize, kInk});
    top_ += kTitleSize + kRowHeight / 2;
  }

  void draw_legend() {
    double at = kMargin;
    double baseline = top_ + kTextSize;
    for (const ChartLayout::Line& line : layout_.lines) {
      const double entry = kLegendStroke + 6 + text_width(line.name, kTextSize) + 20;
      if (at > kMargin && at + entry > width_ - kMargin) {
        at = kMargin;
        baseline += kRowHeight;
      }
      const double middle = baseline - kTextSize * 0.32;
      canvas_.line(std::vector<Spot>{{at, middle}, {at + kLegendStroke, middle}}, stroke_of(line));
      canvas_.text({at + kLegendStroke + 6, baseline}, line.name, {kTextSize, kInk});
      at += entry;
    }
    top_ = baseline + (layout_.lines.empty() ? 0 : 6);
  }

  void draw_axes() {
    for (const Tick& tick : layout_.y.ticks) {
      const double y = place_y(tick.value);
      canvas_.line(std::vector<Spot>{{left_, y}, {right_, y}}, {kGrid, 1});
      canvas_.text({left_ - 8, y + kTextSize * 0.36}, tick.label, {kTextSize, kSoft, Anchor::kEnd});
    }
    for (const Tick& tick : layout_.x.ticks) {
      const double x = place_x(tick.value);
      canvas_.line(std::vector<Spot>{{x, top_}, {x, bottom_}}, {kGrid, 1});
      canvas_.text({x, bottom_ + kTextSize + 6}, tick.label, {kTextSize, kSoft, Anchor::kMiddle});
    }
    canvas_.line(std::vector<Spot>{{left_, top_}, {left_, bottom_}, {right_, bottom_}}, {kSoft, 1});
    canvas_.text({(left_ + right_) / 2, height_ - kMargin}, chart_.x_label,
                 {kTextSize, kInk, Anchor::kMiddle});
    if (!chart_.y_label.empty())
      canvas_.text({kMargin + kTextSize, (top_ + bottom_) / 2}, chart_.y_label,
                   {kTextSize, kInk, Anchor::kMiddle, true});
  }

  [[nodiscard]] static Stroke stroke_of(const ChartLayout::Line& line) {
    const LineLook look = look_of_line(line.number);
    if (line.is_raw) return {look.colour, 1.2, kRawOpacity};
    return {look.colour, 2, 1, look.dashes};
  }

  void draw_line(const ChartLayout::Line& line) {
    const Stroke stroke = stroke_of(line);
    size_t points = 0;
    for (const auto& piece : line.pieces) points += piece.size();
    for (const auto& piece : line.pieces) {
      std::vector<Spot> spots;
      for (const Spot& point : piece) spots.push_back({place_x(point.x), place_y(point.y)});
      canvas_.line(thinned(spots), stroke);
      if (!line.is_raw && (points <= kFewPoints || spots.size() == 1))
        for (const Spot& spot : spots) canvas_.disc(spot, 3, stroke.colour, stroke.opacity);
    }
  }

  // More points than columns look the same as the first, lowest, highest and last of each column.
  [[nodiscard]] std::vector<Spot> thinned(const std::vector<Spot>& spots) const {
    if (static_cast<double>(spots.size()) < 4 * (right_ - left_)) return spots;
    std::vector<Spot> few;
    for (size_t i = 0; i < spots.size();) {
      const double column = std::floor(spots[i].x);
      size_t end = i;
      while (end < spots.size() && std::floor(spots[end].x) == column) ++end;
      const auto by_y = [](const Spot& a, const Spot& b) { return a.y < b.y; };
      const auto first = spots.begin() + static_cast<std::ptrdiff_t>(i);
      const auto last = spots.begin() + static_cast<std::ptrdiff_t>(end);
      const auto [low, high] = std::minmax_element(first, last, by_y);
      few.push_back(*first);
      few.push_back(low < high ? *low : *high);
      few.push_back(low < high ? *high : *low);
      few.push_back(*(last - 1));
      i = end;
    }
    return few;
  }

  const Chart& chart_;
  Canvas& canvas_;
  double width_;
  double height_;
  ChartLayout layout_;
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
};

}  // namespace

void draw_chart(const Chart& chart, const ChartSize& size, Canvas& canvas) {
  ChartDrawing(chart, size, canvas).draw();
}

}  // namespace hearth
