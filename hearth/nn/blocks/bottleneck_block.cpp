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

// Channels of one group of the narrow middle.
int64_t bottleneck_group(const BottleneckBlockOptions& options) {
  return options.channels * options.width_per_group / 64;
}

class BottleneckBlock : public Layer {
 public:
  using Options = BottleneckBlockOptions;
  explicit BottleneckBlock(BottleneckBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "bottleneck_block", inputs.front());
    const int64_t out = options_.channels * kBottleneckExpansion;
    const int64_t groups = options_.groups;
    const int64_t narrow = bottleneck_group(options_) * groups;
    const int64_t stride = options_.stride;
    return residual({residual_convolution({narrow, 1}),
                     residual_convolution({narrow, 3, stride, options_.dilation, groups}),
                     residual_convolution({out, 1})},
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
          .field(
              &O::channels, "channels",
              "Channels of the narrow middle, when it has one group of 64 for each 64; four times "
              "as many come out.",
              required(), at_least(1))
          .field(&O::stride, "stride",
                 "Points the 3x3 window moves at a time. When it is not 1 or the channels change, "
                 "a 1x1 convolution brings the input into the output's shape.",
                 at_least(1))
          .field(&O::groups, "groups",
                 "Parts the middle is split into, each convolved alone: the block of ResNeXt.",
                 at_least(1))
          .field(&O::width_per_group, "width_per_group",
                 "Channels of each group for 64 `channels`; more than 64 make a wide block.",
                 at_least(1))
          .field(&O::dilation, "dilation", "Distance between the points of the 3x3 window.",
                 at_least(1))
          .check(
              "width_per_group leaves no channel in a group: use more channels, or at least "
              "64 / channels.",
              [](const O& options) { return bottleneck_group(options) > 0; });
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
