// A residual block of two convolutions; children are named as in torchvision's BasicBlock.
#include "hearth/nn/layers/residual_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/batch_norm2d.h"
#include "hearth/nn/layers/relu.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual.h"

namespace hearth {
namespace {

class ResidualBlock : public Layer {
 public:
  using Options = ResidualBlockOptions;
  explicit ResidualBlock(ResidualBlockOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "residual_block", input);
    const int64_t out = options_.out_channels;
    const int64_t stride = options_.stride;
    const Spec output = add_chain({{"conv1", residual_convolution(out, 3, stride)},
                                   {"bn1", batch_norm2d()},
                                   {"relu", relu()},
                                   {"conv2", residual_convolution(out, 3)},
                                   {"bn2", batch_norm2d()}},
                                  input, context);
    has_downsample_ = stride != 1 || input.shape[0] != out;
    if (has_downsample_) {
      (void)add_chain({{"downsample", residual_downsample(out, stride)}}, input, context);
    }
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    Layer& relu = child(2);
    const at::Tensor value = call_with_relu(child(1), relu, child(0)(input));
    const at::Tensor around = has_downsample_ ? child(5)(input) : input;
    return call_with_relu(child(4), relu, child(3)(value), around);
  }

 private:
  ResidualBlockOptions options_;
  bool has_downsample_ = false;
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

}  // namespace hearth
