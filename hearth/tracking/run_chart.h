// A chart of what runs have measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/tracking/chart/chart.h"
#include "hearth/tracking/series.h"

namespace hearth {

struct RunChartOptions {
  std::vector<std::filesystem::path> runs = {};
  std::vector<std::string> metrics = {};  // empty: the losses of whole epochs, or of steps
  std::string x = "step";                 // or epoch, or time
  bool is_logarithmic = false;
  double smooth = 0;  // the share that earlier values keep; 0: as measured
};

struct RunChart {
  Chart chart;
  std::vector<std::string> notes;  // what a run lacks, what cannot be drawn
};

// ConfigError with the nearest names when no run has a metric.
[[nodiscard]] RunChart make_run_chart(const RunChartOptions& options);

// The points of a series over "step", "epoch" or "time".
[[nodiscard]] std::vector<Spot> points_of(const Series& series, const std::string& x);
[[nodiscard]] AxisKind axis_kind_of(const std::string& x);
[[nodiscard]] std::string axis_label_of(const std::string& x);

}  // namespace hearth
