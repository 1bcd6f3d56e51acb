// What a loss is the mean of, so that the losses of several batches, or of a batch's parts, can be
// put together to that of all.
#pragma once

#include <ATen/core/Tensor.h>

namespace hearth {

struct LossCount {
  // How many losses it is the mean of, or the sum of their weights; undefined: the samples of the
  // batch.
  at::Tensor total = {};
  bool is_sum = false;  // it is no mean: those of parts are added up

  [[nodiscard]] bool is_told() const { return total.defined() || is_sum; }
};

// What a mean of so many is divided by, and so times what it is their sum: 1 where nothing counts,
// since a loss may have a part that does not, such as that of points without a box.
[[nodiscard]] inline at::Tensor loss_divisor(const at::Tensor& total, double one = 1) {
  return total.masked_fill(total.eq(0), one);
}

}  // namespace hearth
