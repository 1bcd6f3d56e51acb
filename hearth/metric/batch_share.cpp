// A share of right answers over all batches.
#include "hearth/metric/batch_share.h"

#include <limits>

namespace hearth {

void BatchShare::add(const BatchShare& other) {
  right.add(other.right);
  total.add(other.total);
}

double BatchShare::value() const {
  const int64_t all = total.total();
  if (all == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(right.total()) / static_cast<double>(all);
}

State BatchShare::state() const {
  State state;
  right.save(state, "right");
  total.save(state, "total");
  return state;
}

void BatchShare::restore(const State& state) {
  right.restore(state, "right");
  total.restore(state, "total");
}

}  // namespace hearth
