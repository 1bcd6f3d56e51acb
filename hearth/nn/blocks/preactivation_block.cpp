// A residual block that normalizes before it convolves, so that the way around has nothing on it.
#include "hearth/nn/blocks/preactivation_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual.h"

namespace hearth::layers {
namespace {

class PreactivationBlock : public Layer {
 public:
  using Options = PreactivationBlockOptions;
  explicit PreactivationBlock(PreactivationBlockOptions options) : options_(options) {}

 protected:
  // Where the shape changes, the way around starts at what is normalized, as He et al. have it.
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "preactivation_block", inputs.front());
    const int64_t out = options_.out_channels;
    const bool has_way_around = options_.stride != 1 || inputs.front().shape[0] != out;
    std::vector<Choice<Layer>> nodes = {
        named(batch_norm2d(), "bn1"),
        named(relu(), "relu1"),
        named(residual_convolution({out, 3, options_.stride}), "conv1"),
        named(batch_norm2d(), "bn2"),
        named(relu(), "relu2"),
        named(residual_convolution({out}), "conv2")};
    if (has_way_around)
      nodes.push_back(
          wired(residual_convolution({out, 1, options_.stride}), {"relu1"}, {}, "downsample"));
    nodes.push_back(wired(add(), {"conv2", has_way_around ? "downsample" : "input"}, {}, "output"));
    return described({"input"}, nodes);
  }

 private:
  PreactivationBlockOptions options_;
};

}  // namespace

const Schema<PreactivationBlockOptions>& PreactivationBlockOptions::schema() {
  using O = PreactivationBlockOptions;
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

Choice<Layer> preactivation_block(PreactivationBlockOptions options) {
  return choose<Layer>("preactivation_block", options);
}

void register_preactivation_block(Registry<Layer>& layers) {
  layers.add<PreactivationBlock>(
      "preactivation_block",
      "Two 3x3 convolutions, each after batch norm and relu, added to their input as it is.");
}

}  // namespace hearth::layers
