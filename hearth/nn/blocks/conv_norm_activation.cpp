// A convolution, a norm and an activation; children are named as in torchvision's
// Conv2dNormActivation: "0", "1", "2". First weights are those that its networks give them.
#include "hearth/nn/blocks/conv_norm_activation.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/convolution/conv2d.h"

namespace hearth::layers {
namespace {

class ConvNormActivation : public Layer {
 public:
  using Options = ConvNormActivationOptions;
  explicit ConvNormActivation(ConvNormActivationOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec>, const BuildContext&) override {
    std::vector<Choice<Layer>> layers = {conv2d({.out_channels = options_.out_channels,
                                                 .kernel_size = options_.kernel_size,
                                                 .stride = options_.stride,
                                                 .padding = padding(),
                                                 .dilation = options_.dilation,
                                                 .groups = options_.groups,
                                                 .bias = options_.bias.value_or(!options_.norm),
                                                 .init = "kaiming_fan_out"})};
    if (options_.norm) layers.push_back(*options_.norm);
    if (options_.activation) layers.push_back(*options_.activation);
    return described({}, layers);
  }

 private:
  [[nodiscard]] Padding<2> padding() const {
    if (options_.padding) return *options_.padding;
    const auto half = [&](size_t side) {
      return (options_.kernel_size[side] - 1) / 2 * options_.dilation[side];
    };
    return {half(0), half(1)};
  }

  ConvNormActivationOptions options_;
};

}  // namespace

const Schema<ConvNormActivationOptions>& ConvNormActivationOptions::schema() {
  using O = ConvNormActivationOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out.", required(),
                 at_least(1))
          .field(&O::kernel_size, "kernel_size", "Sides of the window, [height, width] or both.",
                 at_least(1))
          .field(&O::stride, "stride", "Points the window moves at a time.", at_least(1))
          .field(&O::padding, "padding",
                 "Zeros added at the borders. Left out: half the window, so that an image keeps "
                 "its size apart from the stride.",
                 at_least(0))
          .field(&O::dilation, "dilation", "Distance between the points of the window.",
                 at_least(1))
          .field(&O::groups, "groups",
                 "Parts the channels are split into, each convolved alone; as many as channels for "
                 "a depthwise convolution.",
                 at_least(1))
          .field(&O::bias, "bias",
                 "Add a learned bias to the convolution. Left out: when there is no norm.")
          .field(&O::norm, "norm", "The layer after the convolution; null for none.")
          .field(&O::activation, "activation", "The layer after the norm; null for none.");
  return fields;
}

Choice<Layer> conv_norm_activation(ConvNormActivationOptions options) {
  return choose<Layer>("conv_norm_activation", options);
}

void register_conv_norm_activation(Registry<Layer>& layers) {
  layers.add<ConvNormActivation>("conv_norm_activation",
                                 "A convolution over images, a norm and an activation.");
}

}  // namespace hearth::layers
