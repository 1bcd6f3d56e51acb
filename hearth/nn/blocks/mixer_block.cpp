// MLP-Mixer's block; children are named as in timm's.
#include "hearth/nn/blocks/mixer_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/feed_forward.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/shape/permute.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kMixerEps = 1e-6;

class MixerBlock : public Layer {
 public:
  using Options = MixerBlockOptions;
  explicit MixerBlock(MixerBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "mixer_block", inputs.front());
    const auto& shape = inputs.front().shape;
    const auto norm = layer_norm({.eps = kMixerEps});
    const auto turned = permute({.dims = {1, 0}});
    return described(
        {"input"},
        {named(norm, "norm1"), named(turned, "channels"),
         named(network(options_.token_hidden, shape[0]), "mlp_tokens"), named(turned, "places"),
         wired(add(), {"places", "input"}, {}, "add_1"), named(norm, "norm2"),
         named(network(options_.channel_hidden, shape[1]), "mlp_channels"),
         wired(add(), {"mlp_channels", "add_1"}, {}, "add_2")});
  }

 private:
  [[nodiscard]] Choice<Layer> network(int64_t hidden, int64_t out) const {
    return feed_forward({.hidden = hidden,
                         .out = out,
                         .dropout = options_.dropout,
                         .names = {"fc1", "act", "drop1", "fc2", "drop2"}});
  }

  MixerBlockOptions options_;
};

}  // namespace

const Schema<MixerBlockOptions>& MixerBlockOptions::schema() {
  using O = MixerBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::token_hidden, "token_hidden",
                 "Hidden values of the network over the places of a channel.", required(),
                 at_least(1))
          .field(&O::channel_hidden, "channel_hidden",
                 "Hidden values of the network over the channels of a place.", required(),
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1));
  return fields;
}

Choice<Layer> mixer_block(MixerBlockOptions options) {
  return choose<Layer>("mixer_block", options);
}

void register_mixer_block(Registry<Layer>& layers) {
  layers.add<MixerBlock>("mixer_block",
                         "Two small networks over a sequence [T, D] of one length, across its "
                         "places and across its channels, each after a layer norm and added.");
}

}  // namespace hearth::layers
