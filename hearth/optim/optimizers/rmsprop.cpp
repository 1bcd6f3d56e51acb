// RMSprop, with PyTorch's formulas.
#include "hearth/optim/optimizers/rmsprop.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/divided.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

struct Rmsprop {
  using Options = RmspropOptions;
  static std::vector<OptimizerSlot> slots() {
    return {"square_avg", "momentum_buffer", "grad_avg"};
  }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry&, double lr) {
    if (now.centered) return rule_of<formulas::Rmsprop<true, true>>(now, lr);
    return now.momentum > 0 ? rule_of<formulas::Rmsprop<true, false>>(now, lr)
                            : rule_of<formulas::Rmsprop<false, false>>(now, lr);
  }

 private:
  template <class Formula>
  static UpdateRule rule_of(const Options& now, double lr) {
    return update_rule<Formula>({.lr = lr,
                                 .weight_decay = now.weight_decay,
                                 .keep = now.alpha,
                                 .take = 1 - now.alpha,
                                 .eps = now.eps,
                                 .momentum = now.momentum});
  }
};

}  // namespace

const Schema<RmspropOptions>& RmspropOptions::schema() {
  using O = RmspropOptions;
  static const auto fields =
      lr_schema<O>()
          .field(&O::alpha, "alpha", "How slowly the mean square forgets.", at_least(0), below(1))
          .field(&O::eps, "eps", kEpsHelp, at_least(0))
          .field(&O::weight_decay, "weight_decay", kCoupledDecayHelp, at_least(0))
          .field(&O::momentum, "momentum", "Share of the last direction that is kept.", at_least(0),
                 below(1))
          .field(&O::centered, "centered",
                 "Divide by the root of the variance: the mean square less the square of the mean.")
          .field(&O::maximize, "maximize", kMaximizeHelp);
  return fields;
}

Choice<Optimizer> rmsprop(RmspropOptions options) { return choose<Optimizer>("rmsprop", options); }

void register_rmsprop(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Rmsprop>>(
      "rmsprop", "Steps divided by the root of the mean square of gradients.");
}

}  // namespace hearth::optimizers
