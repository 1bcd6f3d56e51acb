// Where a chart goes: a file of the kind that its name says, or the terminal.
#pragma once

#include <string>

#include "hearth/core/spec.h"
#include "hearth/tracking/chart/chart.h"

namespace hearth {

// ConfigError when the name says neither .svg nor .png.
void check_chart_file(const std::string& file);
void write_chart(const Chart& chart, const std::string& file, const ChartSize& size = {});
// {"x": what the points stand over, "lines": [{"name", "x": [...], "y": [...]}]}
[[nodiscard]] Json chart_json(const Chart& chart, const std::string& x);
// On standard output, as wide as the page.
void print_chart(const Chart& chart);

}  // namespace hearth
