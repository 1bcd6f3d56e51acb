// Ranges, looks and pieces of the lines of a chart.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hearth/tracking/chart/chart.h"

namespace hearth {
namespace {

bool can_be_drawn(const Spot& point, bool is_logarithmic) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (!is_logarithmic || point.y > 0);
}

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  void include(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  [[nodiscard]] bool is_empty() const { return !(least <= most); }
};

ChartLayout::Line in_pieces(const ChartLine& line, bool is_logarithmic) {
  ChartLayout::Line parted{line.name, 0, line.is_raw, {}};
  bool goes_on = false;
  for (const Spot& point : line.points) {
    const bool is_good = can_be_drawn(point, is_logarithmic);
    if (is_good && !goes_on) parted.pieces.emplace_back();
    if (is_good) parted.pieces.back().push_back(point);
    goes_on = is_good;
  }
  return parted;
}

}  // namespace

LineLook look_of_line(size_t number) {
  constexpr std::array<std::pair<Colour, int>, 7> kColours = {{{{0, 114, 178}, 32},
                                                               {{213, 94, 0}, 166},
                                                               {{0, 158, 115}, 36},
                                                               {{204, 121, 167}, 175},
                                                               {{230, 159, 0}, 214},
                                                               {{86, 180, 233}, 117},
                                                               {{0, 0, 0}, 244}}};
  const auto& [colour, terminal] = kColours[number % kColours.size()];
  const size_t round = number / kColours.size() % 3;
  return {colour, terminal,
          round == 0   ? std::vector<double>()
          : round == 1 ? std::vector<double>{7, 4}
                       : std::vector<double>{2, 3}};
}

std::vector<std::string> chart_notes(const Chart& chart) {
  std::vector<std::string> notes;
  for (const ChartLine& line : chart.lines) {
    const auto infinite = std::ranges::count_if(
        line.points, [](const Spot& point) { return !can_be_drawn(point, false); });
    const auto low = std::ranges::count_if(line.points, [&](const Spot& point) {
      return can_be_drawn(point, false) && !can_be_drawn(point, chart.is_logarithmic);
    });
    if (line.points.empty()) notes.push_back(line.name + " has no values.");
    if (line.is_raw || infinite + low == 0) continue;
    const std::string of_all = " of " + std::to_string(line.points.size()) + " values ";
    if (infinite > 0)
      notes.push_back(line.name + ": " + std::to_string(infinite) + of_all +
                      (infinite == 1 ? "is" : "are") + " no finite number; the line has a gap.");
    if (low > 0)
      notes.push_back(line.name + ": " + std::to_string(low) + of_all + (low == 1 ? "is" : "are") +
                      " not above zero and cannot stand on a logarithmic axis.");
  }
  return notes;
}

ChartLayout layout_of(const Chart& chart, int x_ticks, int y_ticks) {
  ChartLayout layout;
  Range x;
  Range y;
  size_t number = 0;
  for (const ChartLine& line : chart.lines) {
    layout.lines.push_back(in_pieces(line, chart.is_logarithmic));
    layout.lines.back().number = number;
    if (!line.is_raw) ++number;
    for (const auto& piece : layout.lines.back().pieces)
      for (const Spot& point : piece) {
        x.include(point.x);
        y.include(point.y);
      }
  }
  if (x.is_empty()) x = {chart.x_kind == AxisKind::kLogarithm ? 0.1 : 0.0, 1};
  if (y.is_empty()) y = {chart.is_logarithmic ? 0.1 : 0.0, 1};
  layout.x = make_axis(chart.x_kind, x.least, x.most, x_ticks, false);
  layout.y = make_axis(chart.is_logarithmic ? AxisKind::kLogarithm : AxisKind::kNumber, y.least,
                       y.most, y_ticks, true);
  return layout;
}

}  // namespace hearth
