// Layer normalization over the last dimension.
#include "hearth/nn/layers/normalization/layer_norm.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/normalization/layer_norm.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class LayerNorm : public Layer {
 public:
  using Options = LayerNormOptions;
  explicit LayerNorm(LayerNormOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    if (input.shape.empty()) {
      throw_input_error(context, "layer_norm", "features [F] or more dimensions", input,
                        "Leave it out.");
    }
    require_float32(context, "layer_norm", input);
    weight_ = add_parameter("weight", filled(context, "weight", {input.shape.back()}, 1));
    if (options_.bias)
      bias_ = add_parameter("bias", filled(context, "bias", {input.shape.back()}, 0));
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return layer_norm_rows(kernels(), input, weight_, bias_, options_.eps);
  }

 private:
  LayerNormOptions options_;
  at::Tensor weight_;
  at::Tensor bias_;
};

}  // namespace

const Schema<LayerNormOptions>& LayerNormOptions::schema() {
  using O = LayerNormOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::eps, "eps", "Added to the variance, so that nothing is divided by zero.",
                 above(0))
          .field(&O::bias, "bias", "Add a learned bias.");
  return fields;
}

Choice<Layer> layer_norm(LayerNormOptions options) { return choose<Layer>("layer_norm", options); }

void register_layer_norm(Registry<Layer>& layers) {
  layers.add<LayerNorm>("layer_norm",
                        "The last dimension brought to mean 0 and deviation 1, then scaled and "
                        "shifted.");
}

}  // namespace hearth::layers
