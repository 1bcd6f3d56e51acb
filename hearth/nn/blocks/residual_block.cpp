// A residual block of two convolutions; children are named as in torchvision's BasicBlock.
#include "hearth/nn/blocks/residual_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual.h"

namespace hearth::layers {
namespace {

class ResidualBlock : public Layer {
 public:
  using Options = ResidualBlockOptions;
  explicit ResidualBlock(ResidualBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "residual_block", inputs.front());
    const int64_t out = options_.out_channels;
    const int64_t stride = options_.stride;
    return residual({residual_convolution({out, 3, stride}), residual_convolution({out})}, out,
                    stride, inputs.front());
  }

 private:
  ResidualBlockOptions options_;
};

}  // namespace

const Schema<ResidualBlockOptions>& ResidualBlockOptions::schema() {
  using O = ResidualBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out.", required(),
                 at_least(1))
          .field(&O::stride, "stride",
                 "Points the first window moves at a time. When it is not 1 or the channels "
                 "change, a 1x1 convolution brings the input into the output's shape.",
                 at_least(1));
  return fields;
}

Choice<Layer> residual_block(ResidualBlockOptions options) {
  return choose<Layer>("residual_block", options);
}

void register_residual_block(Registry<Layer>& layers) {
  layers.add<ResidualBlock>("residual_block",
                            "Two 3x3 convolutions with batch norm, added to their input: the basic "
                            "block of resnet 18 and 34.");
}

}  // namespace hearth::layers
