// Charts for a terminal: two columns and four rows of dots in each letter of Braille, where colours
// tell lines apart or there is only one; else a letter for each line.
#include <algorithm>
#include <cmath>

#include "hearth/base/letters.h"
#include "hearth/tracking/chart/chart.h"

namespace hearth {
namespace {

constexpr int kSoftColour = 245;

std::string utf8_of(uint32_t code) {
  return {static_cast<char>(0xE0U | code >> 12U), static_cast<char>(0x80U | (code >> 6U & 0x3FU)),
          static_cast<char>(0x80U | (code & 0x3FU))};
}

// The field of a chart: letters, each with the dots and the line that it shows.
class DotField {
 public:
  DotField(size_t width, size_t height) : width_(width), height_(height), cells_(width * height) {}

  // From shares of the field's width and height, the latter from below.
  void draw(const Spot& from, const Spot& to, size_t line) {
    const auto [ax, ay] = place_of(from);
    const auto [bx, by] = place_of(to);
    const int64_t steps = std::max<int64_t>({std::abs(bx - ax), std::abs(by - ay), 1});
    for (int64_t i = 0; i <= steps; ++i)
      put(ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps, line);
  }

  [[nodiscard]] bool is_empty(size_t column, size_t row) const {
    return cells_[row * width_ + column].dots == 0;
  }
  [[nodiscard]] TintedText letter(size_t column, size_t row, bool has_colours, bool is_lone) const {
    const Cell& cell = cells_[row * width_ + column];
    if (cell.dots == 0) return {" "};
    if (!has_colours && !is_lone) return {std::string(1, static_cast<char>('a' + cell.line % 26))};
    return {utf8_of(0x2800U + cell.dots),
            has_colours ? look_of_line(cell.line).terminal_colour : 0};
  }

 private:
  struct Cell {
    uint8_t dots = 0;
    size_t line = 0;
  };

  [[nodiscard]] std::pair<int64_t, int64_t> place_of(const Spot& share) const {
    const auto across = static_cast<double>(2 * width_ - 1);
    const auto down = static_cast<double>(4 * height_ - 1);
    return {std::llround(std::clamp(share.x, 0.0, 1.0) * across),
            std::llround((1 - std::clamp(share.y, 0.0, 1.0)) * down)};
  }

  void put(int64_t x, int64_t y, size_t line) {
    constexpr uint8_t kDots[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    Cell& cell = cells_[static_cast<size_t>(y / 4) * width_ + static_cast<size_t>(x / 2)];
    if (cell.line != line) cell = {0, line};
    cell.dots |= kDots[y % 4][x % 2];
  }

  size_t width_;
  size_t height_;
  std::vector<Cell> cells_;
};

class TextChart {
 public:
  TextChart(const Chart& chart, size_t width, size_t height, bool has_colours)
      : chart_(chart),
        has_colours_(has_colours),
        width_(std::max<size_t>(width, 20)),
        height_(std::max<size_t>(height, 4)),
        layout_(layout_of(chart, static_cast<int>(width_ / 11), static_cast<int>(height_ / 3))) {}

  std::vector<TintedText> draw() {
    if (!chart_.title.empty()) add(first_letters(chart_.title, width_) + "\n");
    add_legend();
    for (const Tick& tick : layout_.y.ticks) margin_ = std::max(margin_, letter_count(tick.label));
    margin_ = std::min(margin_, width_ / 2);
    const size_t columns = width_ - margin_ - 2;
    DotField field(columns, height_);
    for (const ChartLayout::Line& line : layout_.lines) {
      // Dots cannot be faint: the raw line would hide the smooth one.
      if (line.is_raw) continue;
      for (const auto& piece : line.pieces)
        for (size_t i = 0; i < piece.size(); ++i)
          field.draw(share_of(piece[i == 0 ? 0 : i - 1]), share_of(piece[i]), line.number);
    }
    for (size_t row = 0; row < height_; ++row) add_row(field, row, columns);
    add_bottom(columns);
    return std::move(pieces_);
  }

 private:
  void add(const std::string& text, int colour = 0) {
    pieces_.push_back({text, has_colours_ ? colour : 0});
  }
  [[nodiscard]] Spot share_of(const Spot& point) const {
    return {layout_.x.share(point.x), layout_.y.share(point.y)};
  }
  [[nodiscard]] bool is_lone() const {
    return std::ranges::count_if(layout_.lines, [](const auto& line) { return !line.is_raw; }) == 1;
  }

  void add_legend() {
    for (const ChartLayout::Line& line : layout_.lines) {
      if (line.is_raw) continue;
      const std::string mark =
          has_colours_ || is_lone()
              ? "\u2501\u2501 "
              : std::string(1, static_cast<char>('a' + line.number % 26)) + "  ";
      add(mark, look_of_line(line.number).terminal_colour);
      add(first_letters(line.name, width_ - 3) + "\n");
    }
  }

  void add_row(const DotField& field, size_t row, size_t columns) {
    std::string label;
    for (const Tick& tick : layout_.y.ticks)
      if (row_of(tick.value) == row) label = tick.label;
    add(std::string(margin_ - std::min(margin_, letter_count(label)), ' ') +
            first_letters(label, margin_) + (label.empty() ? " \u2502" : " \u2524"),
        kSoftColour);
    while (columns > 0 && field.is_empty(columns - 1, row)) --columns;
    for (size_t column = 0; column < columns; ++column)
      pieces_.push_back(field.letter(column, row, has_colours_, is_lone()));
    add("\n");
  }

  [[nodiscard]] size_t row_of(double value) const {
    const double share = 1 - std::clamp(layout_.y.share(value), 0.0, 1.0);
    return static_cast<size_t>(std::llround(share * static_cast<double>(height_ - 1)));
  }

  void add_bottom(size_t columns) {
    std::string line(columns, '-');
    std::string labels(columns + margin_ + 2, ' ');
    std::vector<bool> is_marked(columns);
    size_t free_from = 0;
    for (const Tick& tick : layout_.x.ticks) {
      const auto column = static_cast<size_t>(std::llround(
          std::clamp(layout_.x.share(tick.value), 0.0, 1.0) * static_cast<double>(columns - 1)));
      is_marked[column] = true;
      const size_t at = std::min(margin_ + 2 + column - std::min(tick.label.size() / 2, column),
                                 labels.size() - std::min(labels.size(), tick.label.size()));
      if (at < free_from || at + tick.label.size() > labels.size()) continue;
      labels.replace(at, tick.label.size(), tick.label);
      free_from = at + tick.label.size() + 1;
    }
    std::string axis = std::string(margin_ + 1, ' ') + "\u2514";
    for (size_t i = 0; i < columns; ++i) axis += is_marked[i] ? "\u2534" : "\u2500";
    labels.erase(labels.find_last_not_of(' ') + 1);
    add(axis + "\n" + labels + "\n", kSoftColour);
    if (!chart_.x_label.empty())
      add(std::string(margin_ + 2, ' ') + chart_.x_label + "\n", kSoftColour);
  }

  const Chart& chart_;
  bool has_colours_;
  size_t width_;
  size_t height_;
  size_t margin_ = 0;
  ChartLayout layout_;
  std::vector<TintedText> pieces_;
};

}  // namespace

std::vector<TintedText> chart_text(const Chart& chart, size_t width, size_t height,
                                   bool has_colours) {
  return TextChart(chart, width, height, has_colours).draw();
}

}  // namespace hearth
