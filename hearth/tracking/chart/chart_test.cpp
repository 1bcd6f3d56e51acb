// Charts: marks of axes, smoothing, what is drawn and what is said.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/tracking/chart/chart.h"
#include "hearth/tracking/chart/stroke_font.h"
#include "hearth/tracking/series.h"

namespace hearth {
namespace {

struct AxisCase {
  AxisKind kind;
  double least, most;
  int wanted;
  std::string labels;
};

class EveryAxis : public testing::TestWithParam<AxisCase> {};

TEST_P(EveryAxis, HasMarksAtRoundValues) {
  const AxisCase& given = GetParam();
  const Axis axis = make_axis(given.kind, given.least, given.most, given.wanted, false);
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks) labels.push_back(tick.label);
  EXPECT_EQ(join(labels, " "), given.labels);
}

INSTANTIATE_TEST_SUITE_P(
    Axes, EveryAxis,
    testing::Values(AxisCase{AxisKind::kNumber, 0, 1, 5, "0 0.2 0.4 0.6 0.8 1.0"},
                    AxisCase{AxisKind::kNumber, 0.9, 0.95, 5, "0.90 0.91 0.92 0.93 0.94 0.95"},
                    AxisCase{AxisKind::kNumber, -3, 7, 5, "-2 0 2 4 6"},
                    AxisCase{AxisKind::kNumber, 0, 3e-6, 3, "0 1e-6 2e-6 3e-6"},
                    AxisCase{AxisKind::kNumber, 5, 5, 4, "4.50 4.75 5.00 5.25 5.50"},
                    AxisCase{AxisKind::kNumber, 0, 1e300, 2, "0 5e299 1.0e300"},
                    AxisCase{AxisKind::kCount, 1, 3, 10, "1 2 3"},
                    AxisCase{AxisKind::kCount, 1, 920, 5, "200 400 600 800"},
                    AxisCase{AxisKind::kCount, 0, 100000, 5, "0 20k 40k 60k 80k 100k"},
                    AxisCase{AxisKind::kSeconds, 0, 100, 4, "0 30s 60s 90s"},
                    AxisCase{AxisKind::kSeconds, 0, 8000, 5, "0 30m 1h 1h30m 2h"},
                    AxisCase{AxisKind::kSeconds, 0, 300000, 4, "0 1d 2d 3d"},
                    AxisCase{AxisKind::kLogarithm, 0.001, 10, 5, "0.001 0.01 0.1 1 10"},
                    AxisCase{AxisKind::kLogarithm, 1e-12, 1, 4, "1e-12 1e-9 1e-6 0.001 1"},
                    AxisCase{AxisKind::kLogarithm, 0.1, 1, 6, "0.1 0.2 0.5 1"}));

TEST(Axis, OfOneValueStillHasExtent) {
  for (const AxisKind kind : {AxisKind::kNumber, AxisKind::kCount, AxisKind::kSeconds})
    for (const double value : {0.0, 1.0, 1e15, 1e300}) {
      const Axis axis = make_axis(kind, value, value, 4, true);
      EXPECT_LT(axis.from, axis.to) << value;
      EXPECT_LT(axis.ticks.size(), 20) << value;
    }
}

TEST(Smoothing, LeansOnFewValuesAtFirstAndPassesOverNan) {
  EXPECT_EQ(smoothed({1, 2, 3}, 0), (std::vector<double>{1, 2, 3}));
  const std::vector<double> smooth = smoothed({4, std::nan(""), 2}, 0.5);
  EXPECT_EQ(smooth[0], 4);
  EXPECT_TRUE(std::isnan(smooth[1]));
  EXPECT_DOUBLE_EQ(smooth[2], (0.5 * 4 + 2) / 1.5);
  EXPECT_DOUBLE_EQ(smoothed(std::vector<double>(50, 0.3), 0.99).back(), 0.3);
}

Chart small_chart() {
  Chart chart{.title = "a <run> & more", .x_label = "steps"};
  chart.lines.push_back({"raw", {{1, 2}, {2, 1}, {3, 4}}, true});
  chart.lines.push_back({"smooth", {{1, 2}, {2, 1.5}, {3, 2}}, false});
  chart.lines.push_back({"other", {{1, 1}, {2, std::nan("")}, {3, 1}}, false});
  return chart;
}

TEST(Chart, SaysWhatCannotBeDrawn) {
  Chart chart = small_chart();
  EXPECT_EQ(
      chart_notes(chart),
      std::vector<std::string>{"other: 1 of 3 values is no finite number; the line has a gap."});
  chart.is_logarithmic = true;
  chart.lines[1].points[0].y = 0;
  EXPECT_EQ(chart_notes(chart).front(),
            "smooth: 1 of 3 values is not above zero and cannot stand on a logarithmic axis.");
}

TEST(Chart, SvgIsEscapedAndHasTheRawLineBehindTheSmoothOne) {
  const std::string svg = chart_svg(small_chart());
  EXPECT_NE(svg.find("a &lt;run&gt; &amp; more"), std::string::npos);
  EXPECT_EQ(svg.find("<run>"), std::string::npos);
  EXPECT_NE(svg.find("stroke-opacity=\"0.35\""), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Chart, PictureShowsEachLineInItsColour) {
  const Image image = chart_image(small_chart(), {400, 300});
  ASSERT_EQ(image.pixels.size(), 400 * 300 * 3);
  for (const size_t line : {0, 1}) {
    const Colour colour = look_of_line(line).colour;
    size_t found = 0;
    for (size_t i = 0; i < image.pixels.size(); i += 3)
      found += image.pixels[i] == colour.red && image.pixels[i + 1] == colour.green &&
               image.pixels[i + 2] == colour.blue;
    EXPECT_GT(found, 20) << line;
  }
}

TEST(Chart, TextKeepsWithinItsWidthAndTellsLinesApartWithoutColours) {
  for (const size_t width : {20, 40, 100}) {
    std::string text;
    for (const TintedText& piece : chart_text(small_chart(), width, 10, false)) text += piece.text;
    for (const std::string& line : split(text, '\n')) EXPECT_LE(letter_count(line), width) << line;
    EXPECT_NE(text.find("a  smooth"), std::string::npos);
    EXPECT_NE(text.find("b  other"), std::string::npos);
  }
}

TEST(Chart, OfNothingAndOfHugeValuesIsStillAChart) {
  EXPECT_FALSE(chart_svg({}).empty());
  Chart chart;
  chart.lines.push_back({"one", {{7, 1e300}}, false});
  chart.lines.push_back({"two", {{8, -1e300}}, false});
  EXPECT_FALSE(chart_svg(chart).empty());
  EXPECT_EQ(chart_image(chart, {200, 150}).width, 200);
}

TEST(StrokeFont, HasEveryLetterOfAscii) {
  for (char letter = '!'; letter <= '~'; ++letter) {
    const auto strokes = text_strokes(std::string(1, letter), 12);
    ASSERT_FALSE(strokes.empty()) << letter;
    for (const auto& stroke : strokes) EXPECT_GE(stroke.size(), 2) << letter;
  }
  EXPECT_EQ(text_strokes("\xc3\xa9", 12).size(), 1) << "one box for a letter of two bytes";
}

TEST(ChartLayout, AnEmptyChartHasAxesOfEveryKind) {
  for (const AxisKind kind :
       {AxisKind::kNumber, AxisKind::kCount, AxisKind::kLogarithm, AxisKind::kSeconds}) {
    Chart chart;
    chart.x_kind = kind;
    EXPECT_FALSE(layout_of(chart, 5, 5).x.ticks.empty());
  }
}

}  // namespace
}  // namespace hearth
