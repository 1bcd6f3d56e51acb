// Stochastic gradient descent, with PyTorch's formulas.
#include "hearth/optim/optimizers/sgd.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/descent.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

struct Sgd {
  using Options = SgdOptions;
  static std::vector<OptimizerSlot> slots() { return {"momentum_buffer"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    if (now.momentum == 0)
      return update_rule<formulas::Descent>({.lr = lr, .weight_decay = now.weight_decay});
    return now.nesterov ? with_momentum<formulas::Momentum<true>>(now, entry, lr)
                        : with_momentum<formulas::Momentum<false>>(now, entry, lr);
  }

 private:
  // The first momentum is the gradient itself, without dampening.
  template <class Formula>
  static UpdateRule with_momentum(const Options& now, const OptimizerMemory::Entry& entry,
                                  double lr) {
    return update_rule<Formula>({.lr = lr,
                                 .weight_decay = now.weight_decay,
                                 .keep = now.momentum,
                                 .take = entry.slots[0].defined() ? 1 - now.dampening : 1});
  }
};

}  // namespace

const Schema<SgdOptions>& SgdOptions::schema() {
  using O = SgdOptions;
  static const auto fields =
      lr_schema<O>()
          .field(&O::momentum, "momentum", "Share of the last direction that is kept.", at_least(0),
                 below(1))
          .field(&O::dampening, "dampening", "Share of the gradient kept out of the momentum.",
                 at_least(0), at_most(1))
          .field(&O::nesterov, "nesterov", "Look ahead along the momentum.")
          .field(&O::weight_decay, "weight_decay", kCoupledDecayHelp, at_least(0))
          .field(&O::maximize, "maximize", kMaximizeHelp)
          .check("nesterov needs a momentum above 0 and a dampening of 0.", [](const O& options) {
            return !options.nesterov || (options.momentum > 0 && options.dampening == 0);
          });
  return fields;
}

Choice<Optimizer> sgd(SgdOptions options) { return choose<Optimizer>("sgd", options); }

void register_sgd(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Sgd>>("sgd",
                                      "Stochastic gradient descent, with momentum when asked for.");
}

}  // namespace hearth::optimizers
