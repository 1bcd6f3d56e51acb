// The numbers of a run log as curves: each with its steps, epochs and times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hearth {

struct SeriesPoint {
  int64_t step = 0;
  double epoch = 0;    // epochs done by then, with a fraction
  double seconds = 0;  // since the run's first event
  double value = 0;
};

struct Series {
  std::string name;  // "eval/accuracy"
  std::vector<SeriesPoint> points;
};

// What a run has measured so far, by name in the order of their first values.
struct RunSeries {
  std::string run;  // its name
  std::vector<Series> all;
  [[nodiscard]] const Series* find(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

// Only those that `wants` says yes to have points. DataError when there is no log, or it is
// damaged.
[[nodiscard]] RunSeries read_series(const std::filesystem::path& run,
                                    const std::function<bool(const std::string& name)>& wants);

// An exponential average that leans on few values at first: `weight` is the share that what came
// before keeps, from 0 to below 1. Values that are no finite number stay, and count for nothing.
[[nodiscard]] std::vector<double> smoothed(const std::vector<double>& values, double weight);

}  // namespace hearth
