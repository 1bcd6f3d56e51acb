// Charts as pictures and as SVG.
#include "hearth/base/text.h"
#include "hearth/format/markup.h"
#include "hearth/tracking/chart/chart_drawing.h"
#include "hearth/tracking/chart/fixed_number.h"
#include "hearth/tracking/chart/raster_canvas.h"

namespace hearth {
namespace {

std::string places(double value) { return fixed_number(value, 1); }

std::string hex_colour(const Colour& colour) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const uint8_t channel : {colour.red, colour.green, colour.blue})
    text += {kDigits[channel / 16], kDigits[channel % 16]};
  return text;
}

class SvgCanvas : public Canvas {
 public:
  void line(std::span<const Spot> spots, const Stroke& stroke) override {
    if (spots.size() < 2) return;
    svg_ += "<polyline fill=\"none\" stroke=\"" + hex_colour(stroke.colour) + "\" stroke-width=\"" +
            places(stroke.width) + "\"";
    if (stroke.opacity < 1) svg_ += " stroke-opacity=\"" + fixed_number(stroke.opacity, 2) + "\"";
    if (!stroke.dashes.empty()) {
      std::vector<std::string> dashes;
      for (const double dash : stroke.dashes) dashes.push_back(places(dash));
      svg_ += " stroke-dasharray=\"" + join(dashes, " ") + "\"";
    }
    svg_ += " stroke-linejoin=\"round\" points=\"";
    for (const Spot& spot : spots) svg_ += places(spot.x) + "," + places(spot.y) + " ";
    svg_.back() = '"';
    svg_ += "/>\n";
  }
  void disc(const Spot& middle, double radius, const Colour& colour, double opacity) override {
    svg_ += "<circle cx=\"" + places(middle.x) + "\" cy=\"" + places(middle.y) + "\" r=\"" +
            places(radius) + "\" fill=\"" + hex_colour(colour) + "\"" +
            (opacity < 1 ? " fill-opacity=\"" + fixed_number(opacity, 2) + "\"" : "") + "/>\n";
  }
  void text(const Spot& at, const std::string& text, const TextStyle& style) override {
    const char* anchor = style.anchor == Anchor::kStart    ? "start"
                         : style.anchor == Anchor::kMiddle ? "middle"
                                                           : "end";
    const std::string turn =
        style.is_turned ? " transform=\"rotate(-90 " + places(at.x) + " " + places(at.y) + ")\""
                        : "";
    svg_ += "<text x=\"" + places(at.x) + "\" y=\"" + places(at.y) + "\" font-size=\"" +
            places(style.size) + "\" fill=\"" + hex_colour(style.colour) + "\" text-anchor=\"" +
            anchor + "\"" + turn + ">" + for_markup(text) + "</text>\n";
  }
  [[nodiscard]] const std::string& svg() const { return svg_; }

 private:
  std::string svg_;
};

}  // namespace

std::string chart_svg(const Chart& chart, const ChartSize& size) {
  SvgCanvas canvas;
  draw_chart(chart, size, canvas);
  const std::string width = std::to_string(size.width);
  const std::string height = std::to_string(size.height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
         "\" viewBox=\"0 0 " + width + " " + height + "\" font-family=\"sans-serif\">\n<title>" +
         for_markup(chart.title) +
         "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + canvas.svg() +
         "</svg>\n";
}

Image chart_image(const Chart& chart, const ChartSize& size) {
  RasterCanvas canvas(size.width, size.height);
  draw_chart(chart, size, canvas);
  return canvas.image();
}

}  // namespace hearth
