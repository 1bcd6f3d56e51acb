// What adam and adamw have in common: a rule, with PyTorch's formulas.
#pragma once

#include <cmath>

#include "hearth/kernels/update/formulas/adam.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth {

// Decoupled: weight decay apart from the gradient, as in AdamW.
template <class Given, bool IsDecoupled>
struct AdamKind {
  using Options = Given;
  static std::vector<OptimizerSlot> slots() { return {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    return now.amsgrad ? rule_of<formulas::Adam<true>>(now, entry, lr)
                       : rule_of<formulas::Adam<false>>(now, entry, lr);
  }

 private:
  template <class Formula>
  static UpdateRule rule_of(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    const double root = std::sqrt(mean_correction(now.betas[1], entry));
    return update_rule<Formula>({.lr = lr / mean_correction(now.betas[0], entry),
                                 .weight_decay = IsDecoupled ? 0 : now.weight_decay,
                                 .shrink = IsDecoupled ? 1 - lr * now.weight_decay : 1,
                                 .keep = now.betas[0],
                                 .take = 1 - now.betas[0],
                                 .square_keep = now.betas[1],
                                 .square_take = 1 - now.betas[1],
                                 .root_factor = 1 / root,
                                 .eps = now.eps});
  }
};

}  // namespace hearth
