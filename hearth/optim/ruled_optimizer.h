// An optimizer that is a rule: numbers of a formula, asked for each parameter. For people who write
// one.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/kernels/update/tensor_values.h"
#include "hearth/optim/optimizer.h"

namespace hearth {

// `Kind` has its `Options`, `slots()`, and `rule(options, entry, lr)`; where it needs them also
// `first_slot(options, slot, parameter)` and `remember(options, entry, lr)`.
template <class Kind>
class RuledOptimizer : public Optimizer {
 public:
  using Options = typename Kind::Options;
  using TimedOptions = Timed<Options>;
  explicit RuledOptimizer(TimedOptions options)
      : Optimizer(options, Kind::slots()), options_(std::move(options)) {}

 private:
  using Entry = OptimizerMemory::Entry;
  [[nodiscard]] std::optional<UpdateRule> rule(const Entry& entry,
                                               const ParameterStep& step) const override {
    const Options& now = options_.at(step.moment);
    UpdateRule rule = Kind::rule(now, entry, step.lr);
    if constexpr (requires { now.maximize; })
      if (now.maximize) rule.gradient_factor = -1;
    return rule;
  }
  [[nodiscard]] at::Tensor first_slot(size_t slot, const at::Tensor& parameter,
                                      const ParameterStep& step) const override {
    if constexpr (requires { Kind::first_slot(options_.at(step.moment), slot, parameter); })
      return Kind::first_slot(options_.at(step.moment), slot, parameter);
    return Optimizer::first_slot(slot, parameter, step);
  }
  void remember(Entry& entry, const ParameterStep& step) const override {
    if constexpr (requires { Kind::remember(options_.at(step.moment), entry, step.lr); })
      Kind::remember(options_.at(step.moment), entry, step.lr);
  }

  TimedOptions options_;
};

// Means that start at zero are too small at first, by this much, in the update that comes.
[[nodiscard]] inline double mean_correction(double beta, const OptimizerMemory::Entry& entry) {
  return 1 - std::pow(beta, entry.steps + 1);
}

}  // namespace hearth
