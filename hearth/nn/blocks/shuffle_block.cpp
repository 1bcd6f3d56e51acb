// A block of two branches whose channels are shuffled afterwards; children are named as in
// torchvision's InvertedResidual of ShuffleNetV2.
#include "hearth/nn/blocks/shuffle_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/composition/split.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/shape/channel_shuffle.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class ShuffleBlock : public Layer {
 public:
  using Options = ShuffleBlockOptions;
  explicit ShuffleBlock(ShuffleBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "shuffle_block", inputs.front());
    const int64_t channels = inputs.front().shape[0];
    std::vector<Choice<Layer>> nodes;
    std::string one = "branch1";
    if (options_.stride > 1) {
      nodes = {wired(sequential({first_branch(channels)}), {"input"}, {}, "branch1"),
               wired(sequential({second_branch()}), {"input"}, {}, "branch2")};
    } else {
      require_kept(context, inputs.front());
      one = "left";
      nodes = {wired(split(), {"input"}, {"left", "right"}, "split"),
               wired(sequential({second_branch()}), {"right"}, {}, "branch2")};
    }
    nodes.push_back(wired(concat(), {one, "branch2"}, {}, "concat"));
    nodes.push_back(named(channel_shuffle({.groups = 2}), "output"));
    return described({"input"}, nodes);
  }

 private:
  void require_kept(const BuildContext& context, const Spec& input) const {
    if (input.shape[0] == options_.out_channels) return;
    throw_input_error(context, "shuffle_block",
                      std::to_string(options_.out_channels) +
                          " channels, as many as come out, when its stride is 1",
                      input, "Use stride 2, or as many out_channels as come in.");
  }

  [[nodiscard]] static Choice<Layer> pointwise(int64_t channels) {
    return conv2d({.out_channels = channels, .kernel_size = 1, .bias = false});
  }

  [[nodiscard]] Choice<Layer> depthwise(int64_t channels) const {
    return conv2d({.out_channels = channels,
                   .stride = options_.stride,
                   .padding = 1,
                   .groups = channels,
                   .bias = false});
  }

  [[nodiscard]] std::vector<Choice<Layer>> first_branch(int64_t channels) const {
    return {depthwise(channels), batch_norm2d(), pointwise(options_.out_channels / 2),
            batch_norm2d(), relu()};
  }

  [[nodiscard]] std::vector<Choice<Layer>> second_branch() const {
    const int64_t half = options_.out_channels / 2;
    return {pointwise(half), batch_norm2d(),  relu(),         depthwise(half),
            batch_norm2d(),  pointwise(half), batch_norm2d(), relu()};
  }

  ShuffleBlockOptions options_;
};

}  // namespace

const Schema<ShuffleBlockOptions>& ShuffleBlockOptions::schema() {
  using O = ShuffleBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out, an even number.",
                 required(), at_least(2))
          .field(&O::stride, "stride",
                 "Points the windows move at a time. When it is 1, half of the channels go through "
                 "unchanged.",
                 at_least(1))
          .check("out_channels must be even.",
                 [](const O& options) { return options.out_channels % 2 == 0; });
  return fields;
}

Choice<Layer> shuffle_block(ShuffleBlockOptions options) {
  return choose<Layer>("shuffle_block", options);
}

void register_shuffle_block(Registry<Layer>& layers) {
  layers.add<ShuffleBlock>("shuffle_block",
                           "Two branches of depthwise and 1x1 convolutions, whose channels are "
                           "shuffled: the block of shufflenet_v2.");
}

}  // namespace hearth::layers
