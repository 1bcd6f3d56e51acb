// What comes in, as it is; what flows back, with the other sign.
#include "hearth/nn/layers/gradient/gradient_reversal.h"

#include <ATen/ops/alias.h>

#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class GradientReversal : public Layer {
 public:
  using Options = GradientReversalOptions;
  explicit GradientReversal(GradientReversalOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    return float_values_like(context, "gradient_reversal", input);
  }

  // The hook belongs to the alias: who else reads the input sends back what they always do.
  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor output = at::alias(input);
    if (output.requires_grad())
      output.register_hook(
          [scale = options_.scale](const at::Tensor& gradient) { return gradient.mul(-scale); });
    return output;
  }

 private:
  GradientReversalOptions options_;
};

}  // namespace

const Schema<GradientReversalOptions>& GradientReversalOptions::schema() {
  using O = GradientReversalOptions;
  static const auto fields =
      Schema<O>().field(&O::scale, "scale", "Factor of what flows back, before its sign turns.");
  return fields;
}

Choice<Layer> gradient_reversal(GradientReversalOptions options) {
  return choose<Layer>("gradient_reversal", options);
}

void register_gradient_reversal(Registry<Layer>& layers) {
  layers.add<GradientReversal>(
      "gradient_reversal",
      "Gives what it gets and turns the sign of what flows back: layers before it learn to make "
      "those after it worse.");
}

}  // namespace hearth::layers
