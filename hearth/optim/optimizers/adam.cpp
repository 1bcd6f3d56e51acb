// Adam: steps scaled by running means of the gradient and of its square, with PyTorch's formulas.
#include "hearth/optim/optimizers/adam.h"

#include "hearth/config/registry.h"
#include "hearth/optim/adam_formula.h"

namespace hearth::optimizers {
namespace {

using Adam = AdamOptimizer<AdamOptions, /*is_decoupled=*/false>;

}  // namespace

const Schema<AdamOptions>& AdamOptions::schema() {
  static const auto fields = adam_schema<AdamOptions>("Pull towards zero, added to the gradient.");
  return fields;
}

Choice<Optimizer> adam(AdamOptions options) { return choose<Optimizer>("adam", options); }

void register_adam(Registry<Optimizer>& optimizers) {
  optimizers.add<Adam>("adam",
                       "Adam: steps scaled by running means of the gradient and of its square.");
}

}  // namespace hearth::optimizers
