// What schedule-free optimizers have in common: how much each step counts in the average.
#pragma once

#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hearth/kernels/update/formulas/schedule_free.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth {

inline constexpr const char* kScheduleFreeBetaHelp =
    "Where gradients are taken between the steps and their average, 1 for the average.";

template <class Given>
struct ScheduleFreeKind {
  using Options = Given;
  // Both begin where the parameter is; what else is remembered begins at zero.
  static at::Tensor first_slot(const Options&, size_t slot, const at::Tensor& parameter) {
    return slot < 2 ? parameter.detach().clone() : at::zeros_like(parameter.detach());
  }
  static void remember(const Options& now, OptimizerMemory::Entry& entry, double lr) {
    const Weights weights = weights_with(now, entry, lr);
    entry.numbers = {weights.greatest_lr, weights.sum};
  }

 protected:
  struct Weights {
    double greatest_lr = 0;
    double sum = 0;
    double share = 0;  // of the step that comes
  };
  static Weights weights_with(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    Weights weights;
    if (!entry.numbers.empty()) weights = {entry.numbers.at(0), entry.numbers.at(1)};
    weights.greatest_lr = std::max(weights.greatest_lr, lr);
    const double weight = std::pow(static_cast<double>(entry.steps + 1), now.step_power) *
                          std::pow(weights.greatest_lr, now.weight_lr_power);
    weights.sum += weight;
    // Steps of no length do not count, as those before a warm-up begins.
    weights.share = weights.sum > 0 ? weight / weights.sum : 0;
    return weights;
  }
};

template <class O>
[[nodiscard]] Schema<O> schedule_free_schema(const std::string& weight_decay) {
  return lr_schema<O>("Learning rate; let it rise at first, and then stay.")
      .field(&O::weight_decay, "weight_decay", weight_decay, at_least(0))
      .field(&O::weight_lr_power, "weight_lr_power",
             "A step counts in the average by the greatest lr so far to this power.", at_least(0))
      .field(&O::step_power, "step_power",
             "And by its number to this power: above 0, later steps count more.", at_least(0));
}

}  // namespace hearth
