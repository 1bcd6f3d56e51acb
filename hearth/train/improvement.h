// Decides whether a watched metric got better; shared by the traces that wait for that.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/train/trace.h"

namespace hearth {

// What is watched: a metric, or the sum of it and of others times numbers. Which way is better, the
// first one says.
struct Watched {
  std::string metric;
  std::map<std::string, double> with = {};

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::string text() const;  // "eval/f1 + 0.5 eval/accuracy"
  // Nothing when one of them was not measured in this epoch.
  [[nodiscard]] std::optional<double> value(const RunControl& run) const;
  [[nodiscard]] bool is_better(double one, double other, const RunControl& run) const;
};

class Improvement {
 public:
  explicit Improvement(double min_change = 0) : min_change_(min_change) {}
  // True when `value` beats the best so far by more than the smallest change. Not a number and a
  // metric that was not measured never do.
  bool is_better(const RunControl& run, const Watched& watched);
  bool is_better(const RunControl& run, const std::string& metric) {
    return is_better(run, Watched{metric});
  }
  [[nodiscard]] bool has_best() const { return has_best_; }
  // Values were there, but none of them a finite number.
  [[nodiscard]] bool was_never_finite() const { return !has_best_ && not_finite_ > 0; }
  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] Json state() const;
  void restore(const Json& state);

 private:
  double min_change_;
  double best_ = 0;
  bool has_best_ = false;
  int64_t not_finite_ = 0;  // values that were no finite number
};

}  // namespace hearth
