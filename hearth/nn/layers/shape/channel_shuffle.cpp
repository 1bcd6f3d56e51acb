// Channels of different groups beside each other.
#include "hearth/nn/layers/shape/channel_shuffle.h"

#include <ATen/ops/flatten.h>

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

class ChannelShuffle : public Layer {
 public:
  using Options = ChannelShuffleOptions;
  explicit ChannelShuffle(ChannelShuffleOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "channel_shuffle", input);
    require_parts(context, "channel_shuffle", input, 0, options_.groups);
    return float_values_like(context, "channel_shuffle", input);
  }

  at::Tensor forward(const at::Tensor& input) override {
    return input.unflatten(1, {options_.groups, input.size(1) / options_.groups})
        .transpose(1, 2)
        .flatten(1, 2);
  }

 private:
  ChannelShuffleOptions options_;
};

}  // namespace

const Schema<ChannelShuffleOptions>& ChannelShuffleOptions::schema() {
  using O = ChannelShuffleOptions;
  static const auto fields =
      Schema<O>().field(&O::groups, "groups", "How many groups the channels come in.", at_least(1));
  return fields;
}

Choice<Layer> channel_shuffle(ChannelShuffleOptions options) {
  return choose<Layer>("channel_shuffle", options);
}

void register_channel_shuffle(Registry<Layer>& layers) {
  layers.add<ChannelShuffle>("channel_shuffle",
                             "The first channels of all groups, then the second ones, and so on.");
}

}  // namespace hearth::layers
