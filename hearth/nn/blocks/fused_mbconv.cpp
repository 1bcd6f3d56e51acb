// EfficientNetV2's block for early stages; children are named as in torchvision's FusedMBConv.
#include "hearth/nn/blocks/fused_mbconv.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual_branch.h"

namespace hearth::layers {
namespace {

class FusedMbconv : public Layer {
 public:
  using Options = FusedMbconvOptions;
  explicit FusedMbconv(FusedMbconvOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "fused_mbconv", inputs.front());
    const int64_t channels = inputs.front().shape[0];
    return residual_branch({.layer = sequential({branch(channels)}),
                            .name = "block",
                            .is_added = options_.stride == 1 && channels == options_.out_channels,
                            .drop_path = options_.drop_path});
  }

 private:
  [[nodiscard]] std::vector<Choice<Layer>> branch(int64_t channels) const {
    const int64_t wide = divisible_channels(static_cast<double>(channels) * options_.expand_ratio);
    const bool expands = wide != channels;
    std::vector<Choice<Layer>> layers = {
        conv_norm_activation({.out_channels = expands ? wide : options_.out_channels,
                              .kernel_size = options_.kernel_size,
                              .stride = options_.stride,
                              .norm = options_.norm,
                              .activation = options_.activation})};
    if (expands)
      layers.push_back(conv_norm_activation({.out_channels = options_.out_channels,
                                             .kernel_size = 1,
                                             .norm = options_.norm,
                                             .activation = std::nullopt}));
    return layers;
  }

  FusedMbconvOptions options_;
};

}  // namespace

const Schema<FusedMbconvOptions>& FusedMbconvOptions::schema() {
  using O = FusedMbconvOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out.", required(),
                 at_least(1))
          .field(&O::kernel_size, "kernel_size", "Side of the window.", at_least(1))
          .field(&O::stride, "stride",
                 "Points the window moves at a time. Where it is 1 and the channels stay, the "
                 "input is added.",
                 at_least(1))
          .field(&O::expand_ratio, "expand_ratio",
                 "How many times more channels the middle has, in multiples of eight; 1 for no "
                 "second convolution.",
                 size_factor())
          .field(&O::norm, "norm", "The layer after each convolution.")
          .field(&O::activation, "activation", "The layer after the wide convolution.")
          .field(&O::drop_path, "drop_path", kDropPathHelp, at_least(0), below(1));
  return fields;
}

Choice<Layer> fused_mbconv(FusedMbconvOptions options) {
  return choose<Layer>("fused_mbconv", options);
}

void register_fused_mbconv(Registry<Layer>& layers) {
  layers.add<FusedMbconv>("fused_mbconv",
                          "A convolution to more channels and a 1x1 convolution back, added to "
                          "their input: the block of efficientnet v2's early stages.");
}

}  // namespace hearth::layers
