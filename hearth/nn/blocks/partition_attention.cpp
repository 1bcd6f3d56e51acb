// Attention within windows or grids of an image; children are named as in torchvision's
// PartitionAttentionLayer.
#include "hearth/nn/blocks/partition_attention.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/attention/window_attention.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/channel_norm.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/image_to_sequence.h"
#include "hearth/nn/layers/shape/sequence_to_image.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual_branch.h"

namespace hearth::layers {
namespace {

class PartitionAttention : public Layer {
 public:
  using Options = PartitionAttentionOptions;
  explicit PartitionAttention(PartitionAttentionOptions options) : options_(options) {}

 protected:
  // The small network sees the points as a sequence: of a channels-last image nothing is copied.
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    check(inputs.front(), context);
    const int64_t channels = inputs.front().shape[0];
    const auto attention =
        sequential({{channel_norm(), window_attention({.heads = channels / options_.head_size,
                                                       .window = options_.window,
                                                       .grid = options_.grid,
                                                       .names = "maxvit"})}});
    const double drop = options_.drop_path;
    const std::string name = "stochastic_dropout";
    std::vector<Choice<Layer>> nodes;
    add_branch({{{"attn_layer", attention}}, "input", "add_1", drop, name}, nodes);
    nodes.push_back(named(image_to_sequence(), "points"));
    add_branch({{{"mlp_layer", network(channels)}}, "points", "add_2", drop, name}, nodes);
    nodes.push_back(wired(sequence_to_image(), {"add_2", "input"}, {}, "image"));
    return described({"input"}, nodes);
  }

 private:
  [[nodiscard]] Choice<Layer> network(int64_t channels) const {
    SequentialOptions layers;
    layers.layers = {layer_norm(), linear({.out_features = options_.hidden_factor * channels}),
                     gelu(), linear({.out_features = channels})};
    if (options_.dropout > 0) layers.layers.push_back(dropout({.p = options_.dropout}));
    return sequential(layers);
  }

  void check(const Spec& input, const BuildContext& context) const {
    require_image(context, "partition_attention", input);
    if (input.shape[0] % options_.head_size != 0)
      throw_input_error(
          context, "partition_attention",
          "channels that heads of " + std::to_string(options_.head_size) + " share evenly", input,
          "Change head_size or the channels.");
    if (input.shape[1] % options_.window != 0 || input.shape[2] % options_.window != 0)
      throw_input_error(
          context, "partition_attention",
          "sides that are multiples of the window, " + std::to_string(options_.window), input,
          "Change window, or the size of the image.");
  }

  PartitionAttentionOptions options_;
};

}  // namespace

const Schema<PartitionAttentionOptions>& PartitionAttentionOptions::schema() {
  using O = PartitionAttentionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::head_size, "head_size", "Channels of a head of the attention.", at_least(1))
          .field(&O::window, "window",
                 "Side of a window or grid; the image's sides must be multiples of it.",
                 at_least(2))
          .field(&O::grid, "grid",
                 "Not neighbours, but points that lie evenly over the whole image see each other.")
          .field(&O::hidden_factor, "hidden_factor",
                 "How many times more values than channels the small network's hidden layer has.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of the small network's values dropped in training.",
                 at_least(0), below(1))
          .field(&O::drop_path, "drop_path", kDropPathHelp, at_least(0), below(1));
  return fields;
}

Choice<Layer> partition_attention(PartitionAttentionOptions options) {
  return choose<Layer>("partition_attention", options);
}

void register_partition_attention(Registry<Layer>& layers) {
  layers.add<PartitionAttention>(
      "partition_attention",
      "Attention in windows or grids of an image [C, H, W] and a small network for each point, "
      "each added to its input: a part of MaxViT's block.");
}

}  // namespace hearth::layers
