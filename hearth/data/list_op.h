// Ops of other ops: a policy says which of them run for a sample.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hearth/data/op_list.h"

namespace hearth {

// The most ops that a policy may name one by one.
inline constexpr size_t kMostDrawnOps = 64;
using DrawnOps = std::array<size_t, kMostDrawnOps>;

// A Policy has Options with `of`, kName, kKeepsSpecs (whether ops that do not run for every sample
// keep what they write as it is; else all make the same of it), is made of (options, ops) and has
// draw(random, room): the numbers of the ops that run, in `room` or in memory of its own. One with
// kDrawsNothing does not look at `random`.
template <class Policy>
class ListOp : public SampleOp {
 public:
  using Options = typename Policy::Options;
  explicit ListOp(const Options& options)
      : ops_(Policy::kName, options.of), policy_(options, ops_.size()) {}

  std::vector<std::string> reads() const override { return ops_.reads(); }
  std::vector<std::string> writes() const override { return ops_.writes(); }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    return Policy::kKeepsSpecs ? ops_.kept_specs(inputs) : ops_.common_specs(inputs);
  }

  bool is_random() const override {
    return !requires { Policy::kDrawsNothing; }
    || ops_.is_random();
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    DrawnOps room{};
    const std::span<const size_t> numbers = policy_.draw(random, room);
    ops_.run(numbers, random, inputs, outputs);
  }

 private:
  OpList ops_;
  Policy policy_;
};

// All ops, so many times one after another.
[[nodiscard]] inline std::vector<size_t> all_ops(size_t ops, int64_t times = 1) {
  std::vector<size_t> numbers;
  for (int64_t turn = 0; turn < times; ++turn)
    for (size_t i = 0; i < ops; ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace hearth
