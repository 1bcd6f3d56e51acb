// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"

namespace hearth::techniques {
namespace {

class MyComponent : public Technique {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

  // The config comes in full form: models, network and metrics written out. hearth/experiment/
  // rewrite.h helps to find and change components. Applied twice, refuse or change nothing.
  Node apply(const Node& config) const override {
    Node changed = config;
    if (changed.find("train") == nullptr)
      throw ConfigError("does not apply: the config has no `train`.");
    changed.find("train")->set("epochs", Node::scalar(std::to_string(options_.epochs)));
    return changed;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::epochs, "epochs", "How many epochs to train.", at_least(1));
  return schema;
}

Choice<Technique> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Technique>("my_component", options);
}

void register_my_component(Registry<Technique>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::techniques
