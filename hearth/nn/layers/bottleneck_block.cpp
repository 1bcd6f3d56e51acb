// A residual block of three convolutions; children are named as in torchvision's Bottleneck, whose
// stride, too, is that of the 3x3 convolution.
#include "hearth/nn/layers/bottleneck_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/batch_norm2d.h"
#include "hearth/nn/layers/relu.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual.h"

namespace hearth {
namespace {

constexpr int64_t kBottleneckExpansion = 4;

class BottleneckBlock : public Layer {
 public:
  using Options = BottleneckBlockOptions;
  explicit BottleneckBlock(BottleneckBlockOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "bottleneck_block", input);
    const int64_t narrow = options_.channels;
    const int64_t out = narrow * kBottleneckExpansion;
    const int64_t stride = options_.stride;
    const Spec output = add_chain({{"conv1", residual_convolution(narrow, 1)},
                                   {"bn1", batch_norm2d()},
                                   {"relu", relu()},
                                   {"conv2", residual_convolution(narrow, 3, stride)},
                                   {"bn2", batch_norm2d()},
                                   {"conv3", residual_convolution(out, 1)},
                                   {"bn3", batch_norm2d()}},
                                  input, context);
    has_downsample_ = stride != 1 || input.shape[0] != out;
    if (has_downsample_) {
      (void)add_chain({{"downsample", residual_downsample(out, stride)}}, input, context);
    }
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    Layer& relu = child(2);
    at::Tensor value = call_with_relu(child(1), relu, child(0)(input));
    value = call_with_relu(child(4), relu, child(3)(value));
    const at::Tensor around = has_downsample_ ? child(7)(input) : input;
    return call_with_relu(child(6), relu, child(5)(value), around);
  }

 private:
  BottleneckBlockOptions options_;
  bool has_downsample_ = false;
};

}  // namespace

const Schema<BottleneckBlockOptions>& BottleneckBlockOptions::schema() {
  using O = BottleneckBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::channels, "channels",
                 "Channels of the narrow middle; four times as many come out.", required(),
                 at_least(1))
          .field(&O::stride, "stride",
                 "Points the 3x3 window moves at a time. When it is not 1 or the channels change, "
                 "a 1x1 convolution brings the input into the output's shape.",
                 at_least(1));
  return fields;
}

Choice<Layer> bottleneck_block(BottleneckBlockOptions options) {
  return choose<Layer>("bottleneck_block", options);
}

void register_bottleneck_block(Registry<Layer>& layers) {
  layers.add<BottleneckBlock>(
      "bottleneck_block",
      "1x1, 3x3 and 1x1 convolutions with batch norm, added to their input: "
      "the block of resnet 50 and deeper.");
}

}  // namespace hearth
