// Adadelta, with PyTorch's formulas.
#include "hearth/optim/optimizers/adadelta.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/divided.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

struct Adadelta {
  using Options = AdadeltaOptions;
  static std::vector<OptimizerSlot> slots() { return {"square_avg", "acc_delta"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry&, double lr) {
    return update_rule<formulas::Adadelta>({.lr = lr,
                                            .weight_decay = now.weight_decay,
                                            .keep = now.rho,
                                            .take = 1 - now.rho,
                                            .eps = now.eps});
  }
};

}  // namespace

const Schema<AdadeltaOptions>& AdadeltaOptions::schema() {
  using O = AdadeltaOptions;
  static const auto fields =
      lr_schema<O>("Factor of the step, which finds its length by itself.")
          .field(&O::rho, "rho", "How slowly the mean squares forget.", at_least(0), at_most(1))
          .field(&O::eps, "eps", "Added under both roots.", at_least(0))
          .field(&O::weight_decay, "weight_decay", kCoupledDecayHelp, at_least(0))
          .field(&O::maximize, "maximize", kMaximizeHelp);
  return fields;
}

Choice<Optimizer> adadelta(AdadeltaOptions options) {
  return choose<Optimizer>("adadelta", options);
}

void register_adadelta(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Adadelta>>(
      "adadelta",
      "Steps as long as those before, seen against the gradients; it needs no learning rate.");
}

}  // namespace hearth::optimizers
