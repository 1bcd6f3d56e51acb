// A sum that all shards of a batch make together while they compute: for layers whose numbers
// depend on the whole batch.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace hearth {

// One shard's place in it. Every shard makes the same sums in the same order, and waits for the
// others in each.
class SharedSum {
 public:
  virtual ~SharedSum() = default;
  // A number for the next sum of a forward pass, from 1 on. Its gradient has the negative one.
  [[nodiscard]] virtual int64_t next() = 0;
  // The sum of what all shards have for this number, the same bits for each; not to be written to.
  [[nodiscard]] virtual at::Tensor of(int64_t number, const at::Tensor& own) = 0;
};

// While it lives, this thread computes a shard that has a place in such sums.
class SharedSumScope {
 public:
  explicit SharedSumScope(SharedSum& place);
  ~SharedSumScope();
  SharedSumScope(const SharedSumScope&) = delete;
  SharedSumScope& operator=(const SharedSumScope&) = delete;

 private:
  SharedSum* before_;
};

// The place of the shard that this thread computes; null when it computes a whole batch.
[[nodiscard]] SharedSum* shared_sum();

// What flows back to this thread's shard through the sum of that number, summed over all shards.
[[nodiscard]] at::Tensor shared_gradients(int64_t number, const at::Tensor& own);

// The next sum as an operator that autograd follows.
[[nodiscard]] at::Tensor summed_over_shards(SharedSum& place, const at::Tensor& own);

}  // namespace hearth
