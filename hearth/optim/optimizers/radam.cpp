// Rectified Adam, with PyTorch's formulas.
#include "hearth/optim/optimizers/radam.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/adam.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

struct Radam {
  using Options = RadamOptions;
  static std::vector<OptimizerSlot> slots() { return {"exp_avg", "exp_avg_sq"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    const double beta = now.betas[1];
    const double correction = mean_correction(beta, entry);
    const auto count = static_cast<double>(entry.steps + 1);
    // How many squares the mean is as good as, at most and by now.
    const double most = 2 / (1 - beta) - 1;
    const double known = most - 2 * count * std::pow(beta, count) / correction;
    const double mean_lr = lr / mean_correction(now.betas[0], entry);
    if (known <= 5) return undivided(now, mean_lr);
    const double rectified =
        std::sqrt((known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known));
    return update_rule<formulas::Adam<false>>({.lr = mean_lr * std::sqrt(correction) * rectified,
                                               .weight_decay = now.weight_decay,
                                               .shrink = 1,
                                               .keep = now.betas[0],
                                               .take = 1 - now.betas[0],
                                               .square_keep = beta,
                                               .square_take = 1 - beta,
                                               .root_factor = 1,
                                               .eps = now.eps});
  }

 private:
  static UpdateRule undivided(const Options& now, double lr) {
    return update_rule<formulas::UndividedAdam>({.lr = lr,
                                                 .weight_decay = now.weight_decay,
                                                 .keep = now.betas[0],
                                                 .take = 1 - now.betas[0],
                                                 .square_keep = now.betas[1],
                                                 .square_take = 1 - now.betas[1]});
  }
};

}  // namespace

const Schema<RadamOptions>& RadamOptions::schema() {
  using O = RadamOptions;
  static const auto fields = adam_schema<O>(kCoupledDecayHelp);
  return fields;
}

Choice<Optimizer> radam(RadamOptions options) { return choose<Optimizer>("radam", options); }

void register_radam(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Radam>>(
      "radam", "Adam that waits with dividing until it knows the squares well (rectified).");
}

}  // namespace hearth::optimizers
