// Adam: steps scaled by running means of the gradient and of its square, with PyTorch's formulas.
#include "hearth/optim/optimizers/adam.h"

#include "hearth/config/registry.h"
#include "hearth/optim/adam_formula.h"
#include "hearth/optim/optimizer.h"

namespace hearth {
namespace {

class Adam : public Optimizer {
 public:
  using Options = AdamOptions;
  explicit Adam(const Options& options)
      : Optimizer(options.lr, adam_slots()),
        formula_(adam_formula(options, /*is_decoupled=*/false)) {}

 private:
  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              double lr) const override {
    formula_.update(parameter, entry, lr);
  }
  [[nodiscard]] std::optional<UpdateRule> rule(const OptimizerMemory::Entry& entry,
                                               double lr) const override {
    return formula_.rule(entry, lr);
  }

  AdamFormula formula_;
};

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

}  // namespace hearth
