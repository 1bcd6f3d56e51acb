// A stage of a U-Net on its way up: twice the size, beside what there was on the way down, then two
// convolutions.
#include "hearth/nn/blocks/unet_up.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/convolution/conv_transpose2d.h"
#include "hearth/nn/layers/shape/resize_like.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/unet.h"

namespace hearth::layers {
namespace {

class UnetUp : public Layer {
 public:
  using Options = UnetUpOptions;
  explicit UnetUp(UnetUpOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() != 2)
      throw GraphError(context.path +
                       " unet_up: takes two images, the one from below and the one " +
                       "from the way down, but got " + std::to_string(inputs.size()) +
                       ". Write in: [below, skip].");
    for (const Spec& input : inputs) require_image(context, "unet_up", input);
    const int64_t out = options_.out_channels;
    return described(
        {"below", "skip"},
        {larger(inputs), wired(concat(), {"skip", "larger"}, {}, "both"),
         named(double_convolution(options_.middle_channels.value_or(out), out), "conv")});
  }

 private:
  [[nodiscard]] Choice<Layer> larger(std::span<const Spec> inputs) const {
    if (options_.up == "transposed")
      return wired(
          conv_transpose2d({.out_channels = inputs[0].shape[0] / 2, .kernel_size = 2, .stride = 2}),
          {"below"}, {"larger"}, "up");
    return wired(resize_like({.mode = options_.up}), {"below", "skip"}, {"larger"}, "up");
  }

  UnetUpOptions options_;
};

}  // namespace

const Schema<UnetUpOptions>& UnetUpOptions::schema() {
  using O = UnetUpOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out.", required(),
                 at_least(1))
          .field(&O::middle_channels, "middle_channels",
                 "Channels between both convolutions; out_channels when left out.", at_least(1))
          .field(&O::up, "up",
                 "How the size grows: `transposed`, by a learned convolution that also halves the "
                 "channels; `nearest`, points repeated; `bilinear`, drawn between them.",
                 one_of({"transposed", "nearest", "bilinear"}));
  return fields;
}

Choice<Layer> unet_up(UnetUpOptions options) { return choose<Layer>("unet_up", options); }

void register_unet_up(Registry<Layer>& layers) {
  layers.add<UnetUp>("unet_up",
                     "A stage of a U-Net on its way up: the image from below in twice the size, "
                     "beside the one from the way down, then two 3x3 convolutions.");
}

}  // namespace hearth::layers
