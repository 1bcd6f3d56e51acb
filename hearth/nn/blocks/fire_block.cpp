// Few channels made many; children are named as in torchvision's Fire.
#include "hearth/nn/blocks/fire_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializers/kaiming_uniform.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class FireBlock : public Layer {
 public:
  using Options = FireBlockOptions;
  explicit FireBlock(FireBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "fire_block", inputs.front());
    const int64_t out = options_.expand_channels;
    return described(
        {"input"},
        {named(convolution(options_.squeeze_channels, 1), "squeeze"),
         named(relu(), "squeeze_activation"), named(convolution(out, 1), "expand1x1"),
         named(relu(), "expand1x1_activation"),
         wired(convolution(out, 3), {"squeeze_activation"}, {}, "expand3x3"),
         named(relu(), "expand3x3_activation"),
         wired(concat(), {"expand1x1_activation", "expand3x3_activation"}, {}, "output")});
  }

 private:
  [[nodiscard]] static Choice<Layer> convolution(int64_t channels, int64_t kernel_size) {
    return starting_with(
        conv2d({.out_channels = channels, .kernel_size = kernel_size, .padding = kernel_size / 2}),
        {{"weight", initializers::kaiming_uniform()}, {"bias", initializers::zeros()}});
  }

  FireBlockOptions options_;
};

}  // namespace

const Schema<FireBlockOptions>& FireBlockOptions::schema() {
  using O = FireBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::squeeze_channels, "squeeze_channels",
                 "Channels of the 1x1 convolution that comes first.", required(), at_least(1))
          .field(&O::expand_channels, "expand_channels",
                 "Channels of each of the two that follow; twice as many come out.", required(),
                 at_least(1));
  return fields;
}

Choice<Layer> fire_block(FireBlockOptions options) { return choose<Layer>("fire_block", options); }

void register_fire_block(Registry<Layer>& layers) {
  layers.add<FireBlock>("fire_block",
                        "A 1x1 convolution to few channels, then 1x1 and 3x3 convolutions beside "
                        "each other: the block of squeezenet.");
}

}  // namespace hearth::layers
