// An op on one sample, run by worker threads on plain memory: no LibTorch, no allocation per
// sample.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/random.h"
#include "hearth/core/spec.h"
#include "hearth/data/op_fitting.h"
#include "hearth/data/value.h"

namespace hearth {

// Thrown by an op that wants the sample to count nothing: no fault, and not reported.
struct FilteredSample {};

class SampleOp {
 public:
  virtual ~SampleOp() = default;
  [[nodiscard]] virtual std::vector<std::string> reads() const = 0;
  [[nodiscard]] virtual std::vector<std::string> writes() const = 0;
  // Specs of what it writes, from the specs of what it reads; GraphError says what does not fit.
  [[nodiscard]] virtual std::vector<Spec> infer(const std::vector<Spec>& inputs) const = 0;
  // Keys that are gone from here on: nobody after it finds them, and nobody packs them.
  [[nodiscard]] virtual std::vector<std::string> drops() const { return {}; }
  // An op that writes over its input in place gets the same memory for input k and output k, when
  // both have the same dtype and size.
  [[nodiscard]] virtual bool is_in_place() const { return false; }
  // Whether what it writes depends on anything but what it reads and its options: random numbers,
  // above all. What ops before the first such one make may be cached.
  [[nodiscard]] virtual bool is_random() const { return true; }
  // An op that does at once what `before` and then this one do, or nothing. Asked when `before`
  // writes one value, which is this op's first input and nobody else's. It reads what `before`
  // reads and then this op's further inputs, and writes what this op writes; its draws are this
  // op's, so that `before` must have none. Results are those of the two ops, or it says that they
  // are not.
  [[nodiscard]] virtual std::shared_ptr<const SampleOp> fused_after(
      const std::shared_ptr<const SampleOp>& before) const {
    (void)before;
    return nullptr;
  }
  // Of an op that `fused_after` gave: whether its results may differ from those of the two, so that
  // nobody may keep what lies between them.
  [[nodiscard]] virtual bool differs_from_parts() const { return false; }
  // Whether its config leaves open what the training data must show before it runs. It is then made
  // anew with the options that its `fitting` found, which the run's config keeps.
  [[nodiscard]] virtual bool needs_fitting() const { return false; }
  [[nodiscard]] virtual std::unique_ptr<OpFitting> fitting(const std::vector<Spec>&) const {
    return nullptr;
  }
  // `random` is keyed by seed, epoch, sample and this op. Called from many threads at once.
  // What fails for one sample is a DataError; the sample and the op are named by the caller.
  virtual void run(Random& random, std::span<const View> inputs,
                   std::span<const Cell> outputs) const = 0;
};

}  // namespace hearth
