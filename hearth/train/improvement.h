// Decides whether a watched metric got better; shared by the traces that wait for that.
#pragma once

#include <limits>

#include "hearth/core/spec.h"
#include "hearth/train/trace.h"

namespace hearth {

class Improvement {
 public:
  explicit Improvement(double min_change = 0) : min_change_(min_change) {}
  // True when `value` beats the best so far by more than the smallest change. Not a number and a
  // metric that was not measured never do.
  bool is_better(const RunControl& run, const std::string& metric);
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
