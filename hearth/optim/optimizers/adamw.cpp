// Adam with decoupled weight decay, with PyTorch's formulas.
#include "hearth/optim/optimizers/adamw.h"

#include "hearth/config/registry.h"
#include "hearth/optim/adam_formula.h"

namespace hearth::optimizers {
namespace {

using Adamw = AdamOptimizer<AdamwOptions, /*is_decoupled=*/true>;

}  // namespace

const Schema<AdamwOptions>& AdamwOptions::schema() {
  static const auto fields = adam_schema<AdamwOptions>("Pull towards zero, scaled by lr.");
  return fields;
}

Choice<Optimizer> adamw(AdamwOptions options) { return choose<Optimizer>("adamw", options); }

void register_adamw(Registry<Optimizer>& optimizers) {
  optimizers.add<Adamw>("adamw", "Adam with decoupled weight decay.");
}

}  // namespace hearth::optimizers
