// A share of right answers over all batches, counted in whole numbers.
#pragma once

#include "hearth/metric/batch_sum.h"

namespace hearth {

struct BatchShare {
  BatchSum<int64_t> right;
  BatchSum<int64_t> total;

  void add(const BatchShare& other);
  // Not a number when nothing was counted.
  [[nodiscard]] double value() const;
  [[nodiscard]] State state() const;
  void restore(const State& state);
};

}  // namespace hearth
