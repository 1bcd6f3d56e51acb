// The curves of a report: drawn once as SVG, and again by the page's script, which lets one zoom.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "hearth/core/spec.h"
#include "hearth/format/json.h"
#include "hearth/format/markup.h"
#include "hearth/tracking/report/report_parts.h"
#include "hearth/tracking/run_chart.h"

namespace hearth {
namespace {

constexpr size_t kMostLines = 14;  // of one chart: as many looks as there are
constexpr size_t kMostPoints = 8000;

bool is_of_set(const std::string& name) {
  const std::string kind = name.substr(0, name.find('/'));
  return kind == "train" || kind == "eval" || kind.starts_with("eval.");
}

// What is measured of several sets stands in one chart; all else by whom it comes from.
std::string group_of(const std::string& name) {
  const size_t slash = name.find('/');
  if (is_of_set(name)) return name.substr(slash + 1);
  return name.starts_with("step/") ? name : name.substr(0, slash);
}

// Of very many points, the lowest and the highest of each stretch.
std::vector<SeriesPoint> thinned_points(const std::vector<SeriesPoint>& points) {
  if (points.size() <= kMostPoints) return points;
  std::vector<SeriesPoint> few;
  const size_t stretch = (points.size() + kMostPoints / 2 - 1) / (kMostPoints / 2);
  for (size_t i = 0; i < points.size(); i += stretch) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last =
        points.begin() + static_cast<std::ptrdiff_t>(std::min(i + stretch, points.size()));
    const auto [low, high] = std::minmax_element(
        first, last, [](const auto& a, const auto& b) { return a.value < b.value; });
    few.push_back(low < high ? *low : *high);
    if (low != high) few.push_back(low < high ? *high : *low);
  }
  return few;
}

Json json_of(const Series& series) {
  Json json = {{"name", series.name}};
  Json steps = Json::array();
  Json epochs = Json::array();
  Json times = Json::array();
  Json values = Json::array();
  for (const SeriesPoint& point : thinned_points(series.points)) {
    steps.push_back(point.step);
    epochs.push_back(std::round(point.epoch * 1e4) / 1e4);
    times.push_back(std::round(point.seconds * 1e2) / 1e2);
    values.push_back(point.value);
  }
  json["step"] = std::move(steps);
  json["epoch"] = std::move(epochs);
  json["time"] = std::move(times);
  json["value"] = std::move(values);
  return json;
}

// Within a script element nothing may look like its end.
std::string script_json(const Json& json) {
  std::string safe;
  for (const char letter : json_line(json)) {
    if (letter == '<')
      safe += "\\u003c";
    else if (letter != '\n')
      safe += letter;
  }
  return safe;
}

std::string chart_part(const std::string& title, const std::vector<const Series*>& all) {
  Chart chart{.title = title, .x_label = "steps"};
  Json lines = Json::array();
  for (const Series* series : all) {
    chart.lines.push_back({series->name, points_of(*series, "step"), false});
    lines.push_back(json_of(*series));
  }
  std::string notes;
  for (const std::string& note : chart_notes(chart)) notes += "<p>" + for_markup(note) + "</p>";
  return "<figure class=\"chart\"><script type=\"application/json\">" +
         script_json({{"title", title}, {"lines", std::move(lines)}}) + "</script>" +
         chart_svg(chart, {720, 400}) + notes + "</figure>\n";
}

}  // namespace

std::string report_curves(const RunSeries& series) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Series*>> groups;
  for (const Series& each : series.all) {
    const std::string group = group_of(each.name);
    if (groups[group].empty()) order.push_back(group);
    groups[group].push_back(&each);
  }
  // What whole epochs came to is what people look for.
  std::stable_partition(order.begin(), order.end(), [&](const std::string& group) {
    return is_of_set(groups[group].front()->name);
  });
  std::string html;
  for (const std::string& group : order) {
    std::vector<const Series*> lines = groups[group];
    const size_t all = lines.size();
    if (all > kMostLines) lines.resize(kMostLines);
    html += chart_part(group, lines);
    if (all > kMostLines)
      html += "<p>" + std::to_string(kMostLines) + " of " + std::to_string(all) +
              " curves; <code>hearth plot</code> draws any of them.</p>";
  }
  return html;
}

}  // namespace hearth
