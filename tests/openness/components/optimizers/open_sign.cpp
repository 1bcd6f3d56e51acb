// Every value moves by lr against the sign of its gradient.
#include "optimizers/open_sign.h"

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer.h"

namespace hearth::optimizers {
namespace {

class OpenSign : public Optimizer {
 public:
  using Options = OpenSignOptions;
  // The list names the tensors it remembers of each parameter; this one remembers none.
  explicit OpenSign(Options options) : Optimizer(options.lr, {}) {}

 private:
  // Called for each parameter with a gradient, under no-grad; `entry.slots` holds what it
  // remembers.
  void update(const at::Tensor& parameter, OptimizerMemory::Entry&,
              const ParameterStep& step) const override {
    parameter.add_(parameter.grad().sign(), -step.lr);
  }
};

}  // namespace

const Schema<OpenSignOptions>& OpenSignOptions::schema() {
  using O = OpenSignOptions;
  static const auto schema = Schema<O>().field(&O::lr, "lr", "Learning rate.", at_least(0));
  return schema;
}

Choice<Optimizer> open_sign(OpenSignOptions options) {
  return choose<Optimizer>("open_sign", options);
}

void register_open_sign(Registry<Optimizer>& registry) {
  registry.add<OpenSign>("open_sign", "Moves by the sign of the gradient.");
}

}  // namespace hearth::optimizers
