// Layer normalization over the channels of every point.
#include "hearth/nn/layers/normalization/channel_norm.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/normalization/layer_norm.h"
#include "hearth/nn/grid.h"
#include "hearth/nn/init.h"

namespace hearth::layers {
namespace {

class ChannelNorm : public Layer {
 public:
  using Options = ChannelNormOptions;
  explicit ChannelNorm(ChannelNormOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_channels(context, "channel_norm", input, 1);
    weight_ = add_parameter("weight", filled(context, "weight", {input.shape[0]}, 1));
    if (options_.bias) bias_ = add_parameter("bias", filled(context, "bias", {input.shape[0]}, 0));
    Spec output;
    output.shape = input.shape;
    return output;
  }

  // Images lie with their channels last already, so that nothing moves.
  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor points = input.movedim(1, -1);
    return layer_norm_rows(kernels(), points, weight_, bias_, options_.eps).movedim(-1, 1);
  }

 private:
  ChannelNormOptions options_;
  at::Tensor weight_;
  at::Tensor bias_;
};

}  // namespace

const Schema<ChannelNormOptions>& ChannelNormOptions::schema() {
  using O = ChannelNormOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::eps, "eps", "Added to the variance, so that nothing is divided by zero.",
                 above(0))
          .field(&O::bias, "bias", "Add a learned bias.");
  return fields;
}

Choice<Layer> channel_norm(ChannelNormOptions options) {
  return choose<Layer>("channel_norm", options);
}

void register_channel_norm(Registry<Layer>& layers) {
  layers.add<ChannelNorm>("channel_norm",
                          "The channels of every point of an image [C, H, W] brought to mean 0 and "
                          "deviation 1, then scaled and shifted (a layer norm over channels).");
}

}  // namespace hearth::layers
