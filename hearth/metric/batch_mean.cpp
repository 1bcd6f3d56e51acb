// The mean over all that batches had.
#include "hearth/metric/batch_mean.h"

#include <limits>

namespace hearth {

void BatchMean::add(const at::Tensor& sum, int64_t count, double factor) {
  sum_.add(sum, factor);
  count_ += count;
}

void BatchMean::add(const BatchMean& other) {
  sum_.add(other.sum_);
  count_ += other.count_;
}

double BatchMean::value() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return sum_.total() / static_cast<double>(count_);
}

State BatchMean::state() const {
  State state;
  sum_.save(state, "sum");
  state.values["count"] = count_;
  return state;
}

void BatchMean::restore(const State& state) {
  sum_.restore(state, "sum");
  count_ = state.values.at("count").get<int64_t>();
}

}  // namespace hearth
