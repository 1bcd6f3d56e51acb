// The block of MaxViT; children are named as in torchvision's MaxVitLayer.
#include "hearth/nn/blocks/maxvit_block.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/blocks/partition_attention.h"
#include "hearth/nn/blocks/squeeze_excite.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/activation/silu.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/pooling/average_pool2d.h"
#include "hearth/nn/layers/regularization/drop_path.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual_branch.h"

namespace hearth::layers {
namespace {

Choice<Layer> maxvit_norm() { return batch_norm2d({.momentum = 0.99, .eps = 1e-3}); }

class MaxvitBlock : public Layer {
 public:
  using Options = MaxvitBlockOptions;
  explicit MaxvitBlock(MaxvitBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "maxvit_block", inputs.front());
    const Choice<Layer> all = sequential(
        {{named(mobile(inputs.front().shape[0]), "MBconv"),
          named(attention(false), "window_attention"), named(attention(true), "grid_attention")}});
    return chain({{"layers", all}});
  }

 private:
  // Like torchvision's MBConv, with the way around first.
  [[nodiscard]] Choice<Layer> mobile(int64_t channels) const {
    std::vector<Choice<Layer>> nodes;
    std::string around = "input";
    if (options_.stride != 1 || channels != options_.out_channels) {
      around = "proj";
      nodes.push_back(wired(way_around(), {"input"}, {}, around));
    }
    nodes.push_back(wired(convolutions(), {"input"}, {}, "layers"));
    std::string change = "layers";
    if (options_.drop_path > 0) {
      change = "stochastic_depth";
      nodes.push_back(wired(drop_path({.p = options_.drop_path}), {"layers"}, {}, change));
    }
    nodes.push_back(wired(add(), {around, change}, {}, "output"));
    return graph({.nodes = nodes, .inputs = {"input"}});
  }

  [[nodiscard]] Choice<Layer> way_around() const {
    SequentialOptions layers;
    if (options_.stride != 1)
      layers.layers.push_back(
          average_pool2d({.kernel_size = 3, .stride = options_.stride, .padding = 1}));
    layers.layers.push_back(conv2d({.out_channels = options_.out_channels, .kernel_size = 1}));
    return sequential(layers);
  }

  [[nodiscard]] Choice<Layer> convolutions() const {
    const auto share = [&](double ratio) {
      return static_cast<int64_t>(static_cast<double>(options_.out_channels) * ratio);
    };
    const int64_t wide = std::max<int64_t>(share(options_.expand_ratio), 1);
    const auto part = [&](int64_t kernel_size, int64_t stride, int64_t groups) {
      return conv_norm_activation({.out_channels = wide,
                                   .kernel_size = kernel_size,
                                   .stride = stride,
                                   .groups = groups,
                                   .norm = maxvit_norm(),
                                   .activation = gelu()});
    };
    const auto squeeze =
        squeeze_excite({.squeeze_channels = std::max<int64_t>(share(options_.squeeze_ratio), 1),
                        .activation = silu()});
    return sequential(
        {{named(maxvit_norm(), "pre_norm"), named(part(1, 1, 1), "conv_a"),
          named(part(3, options_.stride, wide), "conv_b"), named(squeeze, "squeeze_excitation"),
          named(conv2d({.out_channels = options_.out_channels, .kernel_size = 1}), "conv_c")}});
  }

  [[nodiscard]] Choice<Layer> attention(bool grid) const {
    return partition_attention({.head_size = options_.head_size,
                                .window = options_.window,
                                .grid = grid,
                                .hidden_factor = options_.hidden_factor,
                                .dropout = options_.dropout,
                                .drop_path = options_.drop_path});
  }

  MaxvitBlockOptions options_;
};

}  // namespace

const Schema<MaxvitBlockOptions>& MaxvitBlockOptions::schema() {
  using O = MaxvitBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out.", required(),
                 at_least(1))
          .field(&O::stride, "stride", "Points the window of the convolution moves at a time.",
                 at_least(1), at_most(2))
          .field(&O::expand_ratio, "expand_ratio",
                 "How many times more channels the convolution has inside.", size_factor())
          .field(&O::squeeze_ratio, "squeeze_ratio",
                 "Numbers that the image is squeezed to, as a share of the channels.", above(0))
          .field(&O::head_size, "head_size", "Channels of a head of the attention.", at_least(1))
          .field(&O::window, "window",
                 "Side of windows and grids; the sides of what comes out must be multiples of it.",
                 at_least(2))
          .field(&O::hidden_factor, "hidden_factor",
                 "How many times more values than channels a small network's hidden layer has.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of the small networks' values dropped in training.",
                 at_least(0), below(1))
          .field(&O::drop_path, "drop_path", kDropPathHelp, at_least(0), below(1));
  return fields;
}

Choice<Layer> maxvit_block(MaxvitBlockOptions options) {
  return choose<Layer>("maxvit_block", options);
}

void register_maxvit_block(Registry<Layer>& layers) {
  layers.add<MaxvitBlock>(
      "maxvit_block",
      "A mobile convolution, attention in windows and attention over grids of an image [C, H, W], "
      "each added to its input: the block of MaxViT.");
}

}  // namespace hearth::layers
