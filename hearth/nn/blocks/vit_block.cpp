// The block of vision transformers; children are named as in torchvision's EncoderBlock.
#include "hearth/nn/blocks/vit_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/feed_forward.h"
#include "hearth/nn/layers/attention/multihead_attention.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/first_places.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kVitEps = 1e-6;

class VitBlock : public Layer {
 public:
  using Options = VitBlockOptions;
  explicit VitBlock(VitBlockOptions options) : options_(options) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    std::vector<Spec> outputs = Layer::prepare(inputs, context);
    const Layer* mlp = find("mlp");  // edits may have taken it away
    if (mlp != nullptr && context.is_first()) draw_products(*mlp, context, xavier_weights());
    return outputs;
  }

  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "vit_block", inputs.front());
    const auto attention =
        multihead_attention({.heads = options_.heads, .dropout = options_.attention_dropout});
    const auto mlp = feed_forward(
        {.hidden = options_.hidden, .out = inputs.front().shape[1], .dropout = options_.dropout});
    std::vector<Choice<Layer>> nodes = {named(layer_norm({.eps = kVitEps}), "ln_1")};
    std::string before = "input";
    if (options_.only_first) {
      before = "first";
      nodes.push_back(named(first_places(), "looking"));
      nodes.push_back(wired(first_places(), {"input"}, {}, before));
      nodes.push_back(wired(attention, {"looking", "ln_1"}, {}, "self_attention"));
    } else {
      nodes.push_back(named(attention, "self_attention"));
    }
    const bool drops = options_.dropout > 0;
    if (drops) nodes.push_back(named(dropout({options_.dropout}), "dropout"));
    nodes.push_back(wired(add(), {drops ? "dropout" : "self_attention", before}, {}, "add_1"));
    nodes.push_back(named(layer_norm({.eps = kVitEps}), "ln_2"));
    nodes.push_back(named(mlp, "mlp"));
    nodes.push_back(wired(add(), {"mlp", "add_1"}, {}, "add_2"));
    return described({"input"}, nodes);
  }

 private:
  VitBlockOptions options_;
};

}  // namespace

const Schema<VitBlockOptions>& VitBlockOptions::schema() {
  using O = VitBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::heads, "heads", "Heads of the attention; they share the width evenly.",
                 required(), at_least(1))
          .field(&O::hidden, "hidden", "Values of the small network's hidden layer.", required(),
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::attention_dropout, "attention_dropout",
                 "Share of attention weights dropped while training.", at_least(0), below(1))
          .field(&O::only_first, "only_first",
                 "Only the first place comes out, [1, D]; the others are looked at.");
  return fields;
}

Choice<Layer> vit_block(VitBlockOptions options) { return choose<Layer>("vit_block", options); }

void register_vit_block(Registry<Layer>& layers) {
  layers.add<VitBlock>("vit_block",
                       "Attention and a small network over a sequence [T, D], each after a layer "
                       "norm and added to its input: the block of vision transformers.");
}

}  // namespace hearth::layers
