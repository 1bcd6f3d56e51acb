// Spans of time as JSON that Chrome and Perfetto draw.
#include "hearth/train/chrome_trace.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hearth {
namespace {

constexpr double kPerSecond = 1e6;  // the format counts microseconds

}  // namespace

std::string ChromeTrace::text() const {
  std::vector<std::string> tracks;
  nlohmann::json events = nlohmann::json::array();
  for (const TimeSpan& span : spans_) {
    auto found = std::find(tracks.begin(), tracks.end(), span.track);
    if (found == tracks.end()) found = tracks.insert(tracks.end(), span.track);
    const auto number = found - tracks.begin() + 1;
    const double begin = std::round(span.begin * kPerSecond * 10) / 10;
    const double end = std::round(span.end * kPerSecond * 10) / 10;
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", number},
                      {"name", span.name},
                      {"ts", begin},
                      {"dur", std::max(end - begin, 0.0)}});
  }
  for (size_t i = 0; i < tracks.size(); ++i)
    events.push_back({{"ph", "M"},
                      {"pid", 1},
                      {"tid", i + 1},
                      {"name", "thread_name"},
                      {"args", {{"name", tracks[i]}}}});
  return nlohmann::json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump();
}

}  // namespace hearth
