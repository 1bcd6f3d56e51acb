// Adam with Nesterov's momentum, with PyTorch's formulas.
#include "hearth/optim/optimizers/nadam.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/adam.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

double momentum_at(const NadamOptions& now, int64_t step) {
  const double decayed = std::pow(0.96, static_cast<double>(step) * now.momentum_decay);
  return now.betas[0] * (1 - 0.5 * decayed);
}

// The product of the momenta of all steps, with the one that comes.
double momentum_product(const NadamOptions& now, const OptimizerMemory::Entry& entry) {
  return (entry.numbers.empty() ? 1 : entry.numbers[0]) * momentum_at(now, entry.steps + 1);
}

struct Nadam {
  using Options = NadamOptions;
  static std::vector<OptimizerSlot> slots() { return {"exp_avg", "exp_avg_sq"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    const double product = momentum_product(now, entry);
    const double next = momentum_at(now, entry.steps + 2);
    return update_rule<formulas::Nadam>(
        {.lr = lr,
         .weight_decay = now.weight_decay,
         .keep = now.betas[0],
         .take = 1 - now.betas[0],
         .square_keep = now.betas[1],
         .square_take = 1 - now.betas[1],
         .root_factor = 1 / std::sqrt(mean_correction(now.betas[1], entry)),
         .eps = now.eps,
         .mean_share = next / (1 - product * next),
         .gradient_share = (1 - momentum_at(now, entry.steps + 1)) / (1 - product)});
  }
  static void remember(const Options& now, OptimizerMemory::Entry& entry, double) {
    entry.numbers = {momentum_product(now, entry)};
  }
};

}  // namespace

const Schema<NadamOptions>& NadamOptions::schema() {
  using O = NadamOptions;
  static const auto fields =
      adam_schema<O>(kCoupledDecayHelp)
          .field(&O::momentum_decay, "momentum_decay",
                 "How fast the momentum grows to the first of betas; 0 for half of it always.",
                 at_least(0));
  return fields;
}

Choice<Optimizer> nadam(NadamOptions options) { return choose<Optimizer>("nadam", options); }

void register_nadam(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Nadam>>("nadam", "Adam that looks ahead along its momentum.");
}

}  // namespace hearth::optimizers
