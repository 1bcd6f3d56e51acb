// Adam of the infinite norm, with PyTorch's formulas.
#include "hearth/optim/optimizers/adamax.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/adam.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

struct Adamax {
  using Options = AdamaxOptions;
  static std::vector<OptimizerSlot> slots() { return {"exp_avg", "exp_inf"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    return update_rule<formulas::Adamax>({.lr = lr / mean_correction(now.betas[0], entry),
                                          .weight_decay = now.weight_decay,
                                          .keep = now.betas[0],
                                          .take = 1 - now.betas[0],
                                          .greatest_keep = now.betas[1],
                                          .eps = now.eps});
  }
};

}  // namespace

const Schema<AdamaxOptions>& AdamaxOptions::schema() {
  using O = AdamaxOptions;
  static const auto fields =
      adam_schema<O>(kCoupledDecayHelp).field(&O::maximize, "maximize", kMaximizeHelp);
  return fields;
}

Choice<Optimizer> adamax(AdamaxOptions options) { return choose<Optimizer>("adamax", options); }

void register_adamax(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Adamax>>(
      "adamax", "Adam with the greatest gradient, fading, in the place of the mean square.");
}

}  // namespace hearth::optimizers
