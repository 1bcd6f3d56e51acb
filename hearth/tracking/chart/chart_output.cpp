// Writes charts into files and prints them.
#include "hearth/tracking/chart/chart_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/png.h"

namespace hearth {
namespace {

constexpr size_t kWidestPrinted = 120;
constexpr size_t kPrintedRows = 16;

bool is_svg(const std::string& file) { return file.ends_with(".svg"); }

}  // namespace

void check_chart_file(const std::string& file) {
  if (!is_svg(file) && !file.ends_with(".png"))
    throw ConfigError("a chart is written as SVG or PNG, but " + quote(file) +
                      " ends with neither .svg nor .png.");
}

void write_chart(const Chart& chart, const std::string& file, const ChartSize& size) {
  check_chart_file(file);
  write_file_durably(file,
                     is_svg(file) ? chart_svg(chart, size) : encode_png(chart_image(chart, size)));
}

Json chart_json(const Chart& chart, const std::string& x) {
  Json lines = Json::array();
  for (const ChartLine& line : chart.lines) {
    Json xs = Json::array();
    Json ys = Json::array();
    for (const Spot& point : line.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
    lines.push_back({{"name", line.name}, {"x", std::move(xs)}, {"y", std::move(ys)}});
  }
  return {{"x", x}, {"lines", std::move(lines)}};
}

void print_chart(const Chart& chart) {
  print_tinted(
      chart_text(chart, std::min(page_width(), kWidestPrinted), kPrintedRows, prints_colours()));
}

}  // namespace hearth
