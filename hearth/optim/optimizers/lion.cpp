// Lion: the sign of a mix of gradients (Chen and others, 2023).
#include "hearth/optim/optimizers/lion.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/lion.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

struct Lion {
  using Options = LionOptions;
  static std::vector<OptimizerSlot> slots() { return {"exp_avg"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry&, double lr) {
    return update_rule<formulas::Lion>({.lr = lr,
                                        .shrink = 1 - lr * now.weight_decay,
                                        .keep = now.betas[0],
                                        .take = 1 - now.betas[0],
                                        .later_keep = now.betas[1],
                                        .later_take = 1 - now.betas[1]});
  }
};

}  // namespace

const Schema<LionOptions>& LionOptions::schema() {
  using O = LionOptions;
  static const auto fields =
      lr_schema<O>("Learning rate: how far every value moves; a third to a tenth of adamw's.")
          .field(&O::betas, "betas",
                 "How much of the mean of gradients a step takes, and how slowly the mean forgets.",
                 at_least(0), below(1))
          .field(&O::weight_decay, "weight_decay",
                 "Pull towards zero, scaled by lr; three to ten times adamw's.", at_least(0))
          .check("betas must be two numbers, each at least 0 and below 1.",
                 [](const O& options) { return are_valid_betas(options.betas); });
  return fields;
}

Choice<Optimizer> lion(LionOptions options) { return choose<Optimizer>("lion", options); }

void register_lion(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Lion>>(
      "lion", "Steps of equal length along the sign of a mix of gradients.");
}

}  // namespace hearth::optimizers
