// Says in one line how my_component works.
#include "my_component.h"

#include <c10/core/GradMode.h>

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer.h"

namespace hearth {
namespace {

class MyComponent : public Optimizer {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : lr_(options.lr) {}

  void step(const Moment& moment) override {
    const c10::AutoGradMode no_grad(false);
    for (const auto& [name, parameter] : parameters())
      if (parameter.grad().defined()) parameter.add_(parameter.grad(), -lr_.at(moment));
  }

  double learning_rate(const Moment& moment) const override { return lr_.at(moment); }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    return lr_.changes(length);
  }

  // What later steps depend on, by parameter name; this one keeps nothing.
  State state() const override { return {}; }
  void restore(const State&) override {}

 private:
  ScheduledValue lr_;
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

}  // namespace hearth
