// A residual block of three convolutions; children are named as in torchvision's Bottleneck, whose
// stride, too, is that of the 3x3 convolution.
#include "hearth/nn/blocks/bottleneck_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual.h"

namespace hearth::layers {
namespace {

constexpr int64_t kBottleneckExpansion = 4;

class BottleneckBlock : public Layer {
 public:
  using Options = BottleneckBlockOptions;
  explicit BottleneckBlock(BottleneckBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "bottleneck_block", inputs.front());
    const int64_t narrow = options_.channels;
    const int64_t out = narrow * kBottleneckExpansion;
    const int64_t stride = options_.stride;
    return residual({residual_convolution(narrow, 1), residual_convolution(narrow, 3, stride),
                     residual_convolution(out, 1)},
                    out, stride, inputs.front());
  }

 private:
  BottleneckBlockOptions options_;
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

}  // namespace hearth::layers
