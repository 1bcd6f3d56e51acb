// Adagrad, with PyTorch's formulas.
#include "hearth/optim/optimizers/adagrad.h"

#include <ATen/ops/full_like.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/divided.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

struct Adagrad {
  using Options = AdagradOptions;
  static std::vector<OptimizerSlot> slots() { return {"sum"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    return update_rule<formulas::Adagrad>(
        {.lr = lr / (1 + static_cast<double>(entry.steps) * now.lr_decay),
         .weight_decay = now.weight_decay,
         .eps = now.eps});
  }
  static at::Tensor first_slot(const Options& now, size_t, const at::Tensor& parameter) {
    return at::full_like(parameter.detach(), now.initial_accumulator_value);
  }
};

}  // namespace

const Schema<AdagradOptions>& AdagradOptions::schema() {
  using O = AdagradOptions;
  static const auto fields =
      lr_schema<O>()
          .field(&O::lr_decay, "lr_decay", "After n steps, lr is divided by 1 + n times this.",
                 at_least(0))
          .field(&O::weight_decay, "weight_decay", kCoupledDecayHelp, at_least(0))
          .field(&O::initial_accumulator_value, "initial_accumulator_value",
                 "What the sum of squares starts with.", at_least(0))
          .field(&O::eps, "eps", kEpsHelp, at_least(0))
          .field(&O::maximize, "maximize", kMaximizeHelp);
  return fields;
}

Choice<Optimizer> adagrad(AdagradOptions options) { return choose<Optimizer>("adagrad", options); }

void register_adagrad(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<Adagrad>>(
      "adagrad", "Steps divided by the root of the sum of all squares of gradients so far.");
}

}  // namespace hearth::optimizers
