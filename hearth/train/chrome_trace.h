// Spans of time as JSON that Chrome (about:tracing) and Perfetto draw, a row for each track.
#pragma once

#include <string>
#include <vector>

namespace hearth {

struct TimeSpan {
  std::string name;
  std::string track;
  double begin = 0;  // seconds
  double end = 0;
};

class ChromeTrace {
 public:
  void add(TimeSpan span) { spans_.push_back(std::move(span)); }
  [[nodiscard]] bool is_empty() const { return spans_.empty(); }
  [[nodiscard]] const std::vector<TimeSpan>& spans() const { return spans_; }
  // Tracks in the order in which they came.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<TimeSpan> spans_;
};

}  // namespace hearth
