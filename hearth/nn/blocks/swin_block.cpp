// The block of Swin transformers; children are named as in torchvision's SwinTransformerBlock.
#include "hearth/nn/blocks/swin_block.h"

#include <utility>

#include "hearth/config/registry.h"
#include "hearth/nn/feed_forward.h"
#include "hearth/nn/layers/attention/window_attention.h"
#include "hearth/nn/layers/normalization/channel_norm.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/shape/image_to_sequence.h"
#include "hearth/nn/layers/shape/sequence_to_image.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual_branch.h"

namespace hearth::layers {
namespace {

class SwinBlock : public Layer {
 public:
  using Options = SwinBlockOptions;
  explicit SwinBlock(SwinBlockOptions options) : options_(options) {}

 protected:
  // Attention is on the image, the small network on its points as a sequence: of a channels-last
  // image nothing is copied for that. The second version has its norms behind the layers.
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "swin_block", inputs.front());
    const auto attention = window_attention({.heads = options_.heads,
                                             .window = options_.window,
                                             .shift = options_.shift,
                                             .cosine = options_.version == 2});
    const int64_t channels = inputs.front().shape[0];
    const auto network = feed_forward({.hidden = options_.hidden_factor * channels,
                                       .out = channels,
                                       .dropout = options_.dropout});
    std::vector<Choice<Layer>> nodes;
    add_part({{"norm1", channel_norm()}, {"attn", attention}}, "input", "add_1", nodes);
    nodes.push_back(named(image_to_sequence(), "points"));
    add_part({{"norm2", layer_norm()}, {"mlp", network}}, "points", "add_2", nodes);
    nodes.push_back(wired(sequence_to_image(), {"add_2", "input"}, {}, "image"));
    Description block = described({"input"}, nodes);
    // As torchvision has them, whichever of norm and layer runs first.
    block.first_children = {"norm1", "attn", "stochastic_depth", "norm2", "mlp"};
    return block;
  }

 private:
  void add_part(NamedLayers layers, const std::string& around, const std::string& sum,
                std::vector<Choice<Layer>>& nodes) const {
    if (options_.version == 2) std::swap(layers[0], layers[1]);
    add_branch({std::move(layers), around, sum, options_.drop_path}, nodes);
  }

  SwinBlockOptions options_;
};

}  // namespace

const Schema<SwinBlockOptions>& SwinBlockOptions::schema() {
  using O = SwinBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::heads, "heads", "Heads of the attention; they share the channels evenly.",
                 required(), at_least(1))
          .field(&O::window, "window", "Side of a window of the attention.", at_least(2))
          .field(&O::shift, "shift", "Points the windows are moved.", at_least(0))
          .field(&O::hidden_factor, "hidden_factor",
                 "How many times more values than channels the small network's hidden layer has.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of the small network's values dropped in training.",
                 at_least(0), below(1))
          .field(&O::drop_path, "drop_path", kDropPathHelp, at_least(0), below(1))
          .field(&O::version, "version",
                 "1, or 2 with norms behind the layers and attention by cosines.", at_least(1),
                 at_most(2))
          .check("shift must be below window.",
                 [](const O& options) { return options.shift < options.window; });
  return fields;
}

Choice<Layer> swin_block(SwinBlockOptions options) { return choose<Layer>("swin_block", options); }

void register_swin_block(Registry<Layer>& layers) {
  layers.add<SwinBlock>("swin_block",
                        "Attention in the windows of an image [C, H, W] and a small network for "
                        "each point, each added to its input: the block of Swin transformers.");
}

}  // namespace hearth::layers
