// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class MyComponent : public Initializer {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

  // Random numbers come from the generator alone, so that a run can be repeated.
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    values.uniform_(-options_.size, options_.size, generator).sign_().mul_(options_.size);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::size, "size", "How far from zero each value is.", at_least(0));
  return schema;
}

Choice<Initializer> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Initializer>("my_component", options);
}

void register_my_component(Registry<Initializer>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::initializers
