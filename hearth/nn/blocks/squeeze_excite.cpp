// Weighs the channels of an image by what it shows as a whole; children are named as in
// torchvision's SqueezeExcitation.
#include "hearth/nn/blocks/squeeze_excite.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/composition/multiply.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

// Its first values are those that torchvision's networks give it.
Choice<Layer> squeeze_convolution(int64_t out_channels) {
  return starting_with(
      conv2d({.out_channels = out_channels, .kernel_size = 1, .init = "kaiming_fan_out"}),
      {{"bias", initializers::zeros()}});
}

class SqueezeExcite : public Layer {
 public:
  using Options = SqueezeExciteOptions;
  explicit SqueezeExcite(SqueezeExciteOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "squeeze_excite", inputs.front());
    const int64_t channels = inputs.front().shape[0];
    return described({"input"}, {named(adaptive_average_pool2d({.size = 1}), "avgpool"),
                                 named(squeeze_convolution(options_.squeeze_channels), "fc1"),
                                 named(options_.activation, "activation"),
                                 named(squeeze_convolution(channels), "fc2"),
                                 named(options_.scale_activation, "scale_activation"),
                                 wired(multiply(), {"scale_activation", "input"}, {}, "output")});
  }

 private:
  SqueezeExciteOptions options_;
};

}  // namespace

const Schema<SqueezeExciteOptions>& SqueezeExciteOptions::schema() {
  using O = SqueezeExciteOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::squeeze_channels, "squeeze_channels",
                 "Numbers that the whole image is squeezed to, fewer than its channels.",
                 required(), at_least(1))
          .field(&O::activation, "activation", "The layer between squeezing and exciting.")
          .field(&O::scale_activation, "scale_activation",
                 "The layer that makes factors of the last numbers.");
  return fields;
}

Choice<Layer> squeeze_excite(SqueezeExciteOptions options) {
  return choose<Layer>("squeeze_excite", options);
}

void register_squeeze_excite(Registry<Layer>& layers) {
  layers.add<SqueezeExcite>(
      "squeeze_excite",
      "Weighs the channels of an image: their means, squeezed to few numbers and back, become a "
      "factor for each.");
}

}  // namespace hearth::layers
