// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer.h"

namespace hearth::optimizers {
namespace {

class MyComponent : public Optimizer {
 public:
  using Options = MyComponentOptions;
  // The list names the tensors it remembers of each parameter; this one remembers none.
  explicit MyComponent(Options options) : Optimizer(options.lr, {}) {}

 private:
  // Called for each parameter with a gradient, under no-grad; `entry.slots` holds what it
  // remembers.
  void update(const at::Tensor& parameter, OptimizerMemory::Entry&,
              const ParameterStep& step) const override {
    parameter.add_(parameter.grad(), -step.lr);
  }
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema = Schema<O>().field(&O::lr, "lr", "Learning rate.", at_least(0));
  return schema;
}

Choice<Optimizer> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Optimizer>("my_component", options);
}

void register_my_component(Registry<Optimizer>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::optimizers
