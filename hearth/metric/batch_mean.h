// The mean over all that batches had, for metrics of one number.
#pragma once

#include "hearth/metric/batch_sum.h"

namespace hearth {

class BatchMean {
 public:
  // `sum` is a tensor of one number, the sum of `count` things; or their mean, with `factor` as
  // many.
  void add(const at::Tensor& sum, int64_t count, double factor = 1);
  void add(const BatchMean& other);
  [[nodiscard]] double sum() const { return sum_.total(); }
  // Not a number when nothing was added.
  [[nodiscard]] double value() const;
  [[nodiscard]] State state() const;
  void restore(const State& state);

 private:
  BatchSum<double> sum_;
  int64_t count_ = 0;
};

}  // namespace hearth
