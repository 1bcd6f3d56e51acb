// ConvNeXt's residual block; children are named as in torchvision's CNBlock.
#include "hearth/nn/blocks/convnext_block.h"

#include <ATen/ops/addcmul.h>

#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/drop_path.h"
#include "hearth/nn/layers/shape/image_to_sequence.h"
#include "hearth/nn/layers/shape/sequence_to_image.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual_branch.h"

namespace hearth::layers {
namespace {

constexpr int64_t kConvnextFactor = 4;

// Points as a sequence in the middle: of channels-last images nothing is copied for that.
Choice<Layer> convnext_branch(int64_t channels) {
  GraphOptions branch;
  branch.nodes = {
      named(conv2d({.out_channels = channels, .kernel_size = 7, .padding = 3, .groups = channels}),
            "0"),
      named(image_to_sequence(), "1"),
      named(layer_norm({.eps = 1e-6}), "2"),
      named(linear({.out_features = kConvnextFactor * channels}), "3"),
      named(gelu(), "4"),
      named(linear({.out_features = channels}), "5"),
      wired(sequence_to_image(), {"5", "0"}, {}, "6")};
  return graph(branch);
}

class ConvnextBlock : public Layer {
 public:
  using Options = ConvnextBlockOptions;
  explicit ConvnextBlock(ConvnextBlockOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "convnext_block", input);
    const int64_t channels = input.shape[0];
    layer_scale_ = add_parameter(
        "layer_scale", filled(context, "layer_scale", {channels, 1, 1}, options_.layer_scale));
    block_ = add_child("block", convnext_branch(channels), input, context);
    if (options_.drop_path > 0)
      drop_ = add_child("stochastic_depth", drop_path({.p = options_.drop_path}), input, context);
    return block_->output_spec();
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor change = (*block_)(input);
    if (drop_ == nullptr) return at::addcmul(input, layer_scale_, change);
    return input.add((*drop_)(change.mul(layer_scale_)));
  }

 private:
  ConvnextBlockOptions options_;
  at::Tensor layer_scale_;
  Layer* block_ = nullptr;
  Layer* drop_ = nullptr;  // null when no sample is dropped
};

}  // namespace

const Schema<ConvnextBlockOptions>& ConvnextBlockOptions::schema() {
  using O = ConvnextBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layer_scale, "layer_scale",
                 "First value of the learned factors, one for each channel, of what is added.")
          .field(&O::drop_path, "drop_path", kDropPathHelp, at_least(0), below(1));
  return fields;
}

Choice<Layer> convnext_block(ConvnextBlockOptions options) {
  return choose<Layer>("convnext_block", options);
}

void register_convnext_block(Registry<Layer>& layers) {
  layers.add<ConvnextBlock>(
      "convnext_block",
      "A 7x7 depthwise convolution, a layer norm and a small network for each point, scaled and "
      "added to the image [C, H, W]: the block of convnext.");
}

}  // namespace hearth::layers
