// Says in one line how my_component works.
#include "my_component.h"

#include <ATen/ops/full.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth::layers {
namespace {

class MyComponent : public Layer {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

 protected:
  // Makes the parameters, and says what comes out: here, the same shape.
  Spec prepare(const Spec& input, const BuildContext&) override {
    scale_ = add_parameter("scale", at::full({1}, options_.scale));
    return input;
  }

  at::Tensor forward(const at::Tensor& input) override { return input.mul(scale_); }

 private:
  Options options_;
  at::Tensor scale_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::scale, "scale", "First value of the learned factor.");
  return schema;
}

Choice<Layer> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Layer>("my_component", options);
}

void register_my_component(Registry<Layer>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::layers
