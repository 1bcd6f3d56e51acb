// A convolution of each channel alone, then one of the channels of each point.
#include "hearth/nn/layers/convolution/separable_conv2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class SeparableConv2d : public Layer {
 public:
  using Options = SeparableConv2dOptions;
  explicit SeparableConv2d(SeparableConv2dOptions options) : options_(std::move(options)) {}

 protected:
  // A bias of the first would only add to that of the second.
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "separable_conv2d", inputs.front());
    const int64_t channels = inputs.front().shape[0];
    return chain({{"depthwise", conv2d({.out_channels = channels * options_.depth_multiplier,
                                        .kernel_size = options_.kernel_size,
                                        .stride = options_.stride,
                                        .padding = options_.padding,
                                        .dilation = options_.dilation,
                                        .groups = channels,
                                        .bias = false})},
                  {"pointwise", conv2d({.out_channels = options_.out_channels,
                                        .kernel_size = 1,
                                        .bias = options_.bias,
                                        .classes_of = options_.classes_of})}});
  }

 private:
  SeparableConv2dOptions options_;
};

}  // namespace

const Schema<SeparableConv2dOptions>& SeparableConv2dOptions::schema() {
  using O = SeparableConv2dOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels",
                 "Channels that come out; the data's number of classes when left out.", at_least(1))
          .field(&O::kernel_size, "kernel_size",
                 "Side of the window; one number, or [height, width].", at_least(1))
          .field(&O::stride, "stride",
                 "Points the window moves at a time; one number, or [height, width].", at_least(1))
          .field(&O::padding, "padding",
                 "Zeros added at every border, or `same`, as many as keep the size at stride 1; "
                 "one number, or [height, width].",
                 at_least(0))
          .field(&O::dilation, "dilation",
                 "Distance between the points of the window; one number, or [height, width].",
                 at_least(1))
          .field(&O::depth_multiplier, "depth_multiplier",
                 "Channels between the two for each that comes in.", at_least(1))
          .field(&O::bias, "bias", "Add a learned bias at the end.")
          .field(&O::classes_of, "classes_of",
                 "The key whose number of classes it is, when the data has several.", not_empty());
  return fields;
}

Choice<Layer> separable_conv2d(SeparableConv2dOptions options) {
  return choose<Layer>("separable_conv2d", options);
}

void register_separable_conv2d(Registry<Layer>& layers) {
  layers.add<SeparableConv2d>("separable_conv2d",
                              "A convolution of each channel of an image [C, H, W] alone, then one "
                              "of the channels of each point: a depthwise-separable convolution.");
}

}  // namespace hearth::layers
