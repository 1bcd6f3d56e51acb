// A chart of what runs have measured.
#include "hearth/tracking/run_chart.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

bool is_epoch_loss(const std::string& name) {
  return !name.starts_with("step/") && name.ends_with("/loss");
}

std::vector<std::string> usual_metrics(const std::vector<RunSeries>& runs) {
  std::vector<std::string> found;
  const auto add_all = [&](const auto& wants) {
    for (const RunSeries& run : runs)
      for (const std::string& name : run.names())
        if (wants(name) && std::ranges::find(found, name) == found.end()) found.push_back(name);
  };
  add_all(is_epoch_loss);
  if (found.empty()) add_all([](const std::string& name) { return name == "step/loss"; });
  return found;
}

[[noreturn]] void throw_unknown(const std::string& metric, const std::vector<RunSeries>& runs) {
  std::vector<std::string> known;
  for (const RunSeries& run : runs)
    for (const std::string& name : run.names())
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  const std::string who = runs.size() == 1 ? runs.front().run + " has" : "no run has";
  throw ConfigError(who + (runs.size() == 1 ? " no " : " a ") + "metric " + quote(metric) + "." +
                    (known.empty() ? " Nothing is measured yet." : did_you_mean(metric, known)));
}

// With the metric's name where there are several, and the run's where there are several.
std::string line_name(const std::string& run, const std::string& metric,
                      const RunChartOptions& options, size_t metrics) {
  if (options.runs.size() == 1) return metric;
  return metrics == 1 ? run : run + "  " + metric;
}

void add_lines(const Series& series, const std::string& name, const RunChartOptions& options,
               Chart& chart) {
  ChartLine line{name, points_of(series, options.x), false};
  if (options.smooth > 0) {
    std::vector<double> values;
    for (const Spot& point : line.points) values.push_back(point.y);
    chart.lines.push_back({name + " (as measured)", line.points, true});
    const std::vector<double> smooth = smoothed(values, options.smooth);
    for (size_t i = 0; i < smooth.size(); ++i) line.points[i].y = smooth[i];
    line.name = name + " (smoothed by " + shortest_number(options.smooth) + ")";
  }
  chart.lines.push_back(std::move(line));
}

}  // namespace

std::vector<Spot> points_of(const Series& series, const std::string& x) {
  std::vector<Spot> points;
  for (const SeriesPoint& point : series.points)
    points.push_back({x == "epoch"  ? point.epoch
                      : x == "time" ? point.seconds
                                    : static_cast<double>(point.step),
                      point.value});
  return points;
}

AxisKind axis_kind_of(const std::string& x) {
  return x == "time" ? AxisKind::kSeconds : x == "epoch" ? AxisKind::kNumber : AxisKind::kCount;
}

std::string axis_label_of(const std::string& x) {
  return x == "time" ? "time since the run began" : x + "s";
}

RunChart make_run_chart(const RunChartOptions& options) {
  const auto is_wanted = [&](const std::string& name) {
    if (options.metrics.empty()) return name == "step/loss" || is_epoch_loss(name);
    return std::ranges::find(options.metrics, name) != options.metrics.end();
  };
  std::vector<RunSeries> runs;
  for (const fs::path& run : options.runs) runs.push_back(read_series(run, is_wanted));
  const std::vector<std::string> metrics =
      options.metrics.empty() ? usual_metrics(runs) : options.metrics;
  if (metrics.empty()) throw_unknown("train/loss", runs);
  RunChart made;
  made.chart.x_label = axis_label_of(options.x);
  made.chart.x_kind = axis_kind_of(options.x);
  made.chart.is_logarithmic = options.is_logarithmic;
  made.chart.title = options.runs.size() == 1 ? runs.front().run : metrics.front();
  if (options.runs.size() > 1 && metrics.size() > 1) made.chart.title = join(metrics, ", ");
  for (const std::string& metric : metrics) {
    size_t found = 0;
    for (const RunSeries& run : runs) {
      const Series* series = run.find(metric);
      if (series == nullptr) continue;
      ++found;
      add_lines(*series, line_name(run.run, metric, options, metrics.size()), options, made.chart);
    }
    if (found == 0) throw_unknown(metric, runs);
    for (const RunSeries& run : runs)
      if (run.find(metric) == nullptr) made.notes.push_back(run.run + " has no " + metric + ".");
  }
  if (metrics.size() == 1 && options.runs.size() == 1) made.chart.y_label = metrics.front();
  for (std::string& note : chart_notes(made.chart)) made.notes.push_back(std::move(note));
  return made;
}

}  // namespace hearth
