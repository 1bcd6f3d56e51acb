// max(x, 0), value by value.
#include "hearth/nn/layers/relu.h"

#include <ATen/ops/relu.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

class Relu : public Layer {
 public:
  using Options = ReluOptions;
  explicit Relu(ReluOptions) {}
  [[nodiscard]] bool is_relu() const override { return true; }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_float32(context, "relu", input);
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return at::relu(input); }
};

}  // namespace

const Schema<ReluOptions>& ReluOptions::schema() {
  static const Schema<ReluOptions> fields;
  return fields;
}

Choice<Layer> relu(ReluOptions options) { return choose<Layer>("relu", options); }

void register_relu(Registry<Layer>& layers) {
  layers.add<Relu>("relu", "Keeps positive values, makes the others zero.");
}

}  // namespace hearth
