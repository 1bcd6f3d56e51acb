// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::batch_ops {
namespace {

class MyComponent : public BatchOp {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }

  // What comes out, before any data is read.
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (inputs.at(0).dtype == DType::kFloat32) return inputs;
    throw GraphError("key " + quote(options_.key) + " must be float32, but is " + inputs[0].text() +
                     ".");
  }

  // Input and output are the same memory. Chance comes from `random` only. Many threads call this.
  void run(Random&, std::span<const BatchView>, std::span<const BatchCell> outputs) const override {
    const BatchView rows = outputs[0].view();
    for (float& value : rows.as<float>()) value *= static_cast<float>(options_.factor);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema = Schema<O>()
                                 .field(&O::key, "key", "The key to change; float32.", not_empty())
                                 .field(&O::factor, "factor", "What every value is multiplied by.");
  return schema;
}

Choice<BatchOp> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<BatchOp>("my_component", options);
}

void register_my_component(Registry<BatchOp>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::batch_ops
