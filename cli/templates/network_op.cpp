// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class MyComponent : public NetworkOp {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  std::vector<std::string> writes() const override { return {options_.out}; }
  // Leave this line out when it reads or changes the parameters of a model.
  bool looks_at_parameters() const override { return false; }

  // What comes out, before any data is read.
  std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    if (inputs.at(0).dtype == DType::kFloat32) return inputs;
    throw GraphError("key " + quote(options_.in) + " must be float32, but is " + inputs[0].text() +
                     ".");
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = inputs[0].mul(options_.factor);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema = Schema<O>()
                                 .field(&O::in, "in", "The key to read; float32.", not_empty())
                                 .field(&O::out, "out", "The key to write.", not_empty())
                                 .field(&O::factor, "factor", "What every value is multiplied by.");
  return schema;
}

Choice<NetworkOp> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<NetworkOp>("my_component", options);
}

void register_my_component(Registry<NetworkOp>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::network_ops
