// Adam: steps scaled by running means of the gradient and of its square, with PyTorch's formulas.
#include "hearth/optim/optimizers/adam.h"

#include "hearth/config/registry.h"
#include "hearth/optim/adam_rule.h"
#include "hearth/optim/optimizer_fields.h"

namespace hearth::optimizers {
namespace {

using Adam = RuledOptimizer<AdamKind<AdamOptions, /*IsDecoupled=*/false>>;

}  // namespace

const Schema<AdamOptions>& AdamOptions::schema() {
  using O = AdamOptions;
  static const auto fields = adam_schema<O>(kCoupledDecayHelp)
                                 .field(&O::amsgrad, "amsgrad", kAmsgradHelp)
                                 .field(&O::maximize, "maximize", kMaximizeHelp);
  return fields;
}

Choice<Optimizer> adam(AdamOptions options) { return choose<Optimizer>("adam", options); }

void register_adam(Registry<Optimizer>& optimizers) {
  optimizers.add<Adam>("adam",
                       "Adam: steps scaled by running means of the gradient and of its square.");
}

}  // namespace hearth::optimizers
