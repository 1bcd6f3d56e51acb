// A learned factor for each channel, small at first.
#include "hearth/nn/layers/composition/layer_scale.h"

#include "hearth/nn/along_axis.h"
#include "hearth/nn/init.h"

namespace hearth::layers {
namespace {

class LayerScale : public Layer {
 public:
  using Options = LayerScaleOptions;
  explicit LayerScale(LayerScaleOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    Spec output = float_values_like(context, "layer_scale", input);
    const size_t axis = require_axis(context, "layer_scale", input, {});
    // [C, 1, 1] for images, as torchvision's, and [F] for others.
    std::vector<int64_t> shape(input.shape.size() - axis, 1);
    shape[0] = input.shape[axis];
    weight_ = add_parameter("weight", filled(context, "weight", shape, options_.first));
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return input.mul(weight_); }

 private:
  LayerScaleOptions options_;
  at::Tensor weight_;
};

}  // namespace

const Schema<LayerScaleOptions>& LayerScaleOptions::schema() {
  using O = LayerScaleOptions;
  static const auto fields = Schema<O>().field(&O::first, "first", "The factor to begin with.");
  return fields;
}

Choice<Layer> layer_scale(LayerScaleOptions options) {
  return choose<Layer>("layer_scale", options);
}

void register_layer_scale(Registry<Layer>& layers) {
  layers.add<LayerScale>("layer_scale",
                         "A learned factor for each channel, small at first, so that a residual "
                         "branch begins as almost nothing.");
}

}  // namespace hearth::layers
