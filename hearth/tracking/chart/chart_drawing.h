// Draws a chart on any canvas.
#pragma once

#include "hearth/tracking/chart/chart.h"

namespace hearth {

void draw_chart(const Chart& chart, const ChartSize& size, Canvas& canvas);

}  // namespace hearth
