// Adam with decoupled weight decay, with PyTorch's formulas.
#include "hearth/optim/optimizers/adamw.h"

#include "hearth/config/registry.h"
#include "hearth/optim/adam_formula.h"
#include "hearth/optim/optimizer.h"

namespace hearth {
namespace {

class Adamw : public Optimizer {
 public:
  using Options = AdamwOptions;
  explicit Adamw(const Options& options)
      : Optimizer(options.lr, adam_slots()),
        formula_(adam_formula(options, /*is_decoupled=*/true)) {}

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

const Schema<AdamwOptions>& AdamwOptions::schema() {
  static const auto fields = adam_schema<AdamwOptions>("Pull towards zero, scaled by lr.");
  return fields;
}

Choice<Optimizer> adamw(AdamwOptions options) { return choose<Optimizer>("adamw", options); }

void register_adamw(Registry<Optimizer>& optimizers) {
  optimizers.add<Adamw>("adamw", "Adam with decoupled weight decay.");
}

}  // namespace hearth
