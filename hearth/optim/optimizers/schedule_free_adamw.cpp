// Schedule-free AdamW (Defazio and others, 2024).
#include "hearth/optim/optimizers/schedule_free_adamw.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/schedule_free.h"

namespace hearth::optimizers {
namespace {

struct ScheduleFreeAdamw : ScheduleFreeKind<ScheduleFreeAdamwOptions> {
  static std::vector<OptimizerSlot> slots() { return {"sequence", "average", "exp_avg_sq"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    return update_rule<formulas::ScheduleFreeAdam>(
        {.lr = lr,
         .weight_decay = now.weight_decay,
         .share = weights_with(now, entry, lr).share,
         .beta = now.betas[0],
         .square_keep = now.betas[1],
         .square_take = 1 - now.betas[1],
         .root_factor = 1 / std::sqrt(mean_correction(now.betas[1], entry)),
         .eps = now.eps});
  }
};

}  // namespace

const Schema<ScheduleFreeAdamwOptions>& ScheduleFreeAdamwOptions::schema() {
  using O = ScheduleFreeAdamwOptions;
  static const auto fields =
      schedule_free_schema<O>(kDecoupledDecayHelp)
          .field(
              &O::betas, "betas",
              "Where gradients are taken between the steps and their average, 1 for the average; "
              "and how slowly the mean square forgets.",
              above(0), below(1))
          .field(&O::eps, "eps", kEpsHelp, at_least(0))
          .check("betas must be two numbers, each above 0 and below 1.",
                 [](const O& options) { return are_valid_betas(options.betas); });
  return fields;
}

Choice<Optimizer> schedule_free_adamw(ScheduleFreeAdamwOptions options) {
  return choose<Optimizer>("schedule_free_adamw", options);
}

void register_schedule_free_adamw(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<ScheduleFreeAdamw>>(
      "schedule_free_adamw",
      "AdamW that needs no falling learning rate: evaluation uses an average that it learns.");
}

}  // namespace hearth::optimizers
