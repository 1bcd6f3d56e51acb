// Adam with decoupled weight decay, with PyTorch's formulas.
#include "hearth/optim/optimizers/adamw.h"

#include "hearth/config/registry.h"
#include "hearth/optim/adam_rule.h"
#include "hearth/optim/optimizer_fields.h"

namespace hearth::optimizers {
namespace {

using Adamw = RuledOptimizer<AdamKind<AdamwOptions, /*IsDecoupled=*/true>>;

}  // namespace

const Schema<AdamwOptions>& AdamwOptions::schema() {
  using O = AdamwOptions;
  static const auto fields = adam_schema<O>(kDecoupledDecayHelp)
                                 .field(&O::amsgrad, "amsgrad", kAmsgradHelp)
                                 .field(&O::maximize, "maximize", kMaximizeHelp);
  return fields;
}

Choice<Optimizer> adamw(AdamwOptions options) { return choose<Optimizer>("adamw", options); }

void register_adamw(Registry<Optimizer>& optimizers) {
  optimizers.add<Adamw>("adamw", "Adam with decoupled weight decay.");
}

}  // namespace hearth::optimizers
