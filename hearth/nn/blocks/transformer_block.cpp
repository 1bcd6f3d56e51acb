// A transformer's block, with the norms first; children are named as in nanoGPT.
#include "hearth/nn/blocks/transformer_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/attention/self_attention.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

// A place's own small network: wider by the factor, gelu, and back.
Choice<Layer> transformer_mlp(int64_t width, const TransformerBlockOptions& options) {
  GraphOptions layers;
  layers.nodes = {named(linear({.out_features = options.hidden_factor * width}), "c_fc"),
                  named(gelu(), "gelu"), named(linear({.out_features = width}), "c_proj")};
  if (options.dropout > 0) layers.nodes.push_back(named(dropout({options.dropout}), "dropout"));
  return graph(layers);
}

class TransformerBlock : public Layer {
 public:
  using Options = TransformerBlockOptions;
  explicit TransformerBlock(TransformerBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "transformer_block", inputs.front());
    const auto attention = self_attention(
        {.heads = options_.heads, .causal = options_.causal, .dropout = options_.dropout});
    const auto mlp = transformer_mlp(inputs.front().shape[1], options_);
    std::vector<std::string> names = {"input"};
    std::vector<std::string> attended = {"ln_1"};
    if (inputs.size() > 1) {
      names.push_back("mask");
      attended.push_back("mask");
    }
    return described(
        names, {wired(layer_norm(), {"input"}, {}, "ln_1"), wired(attention, attended, {}, "attn"),
                wired(add(), {"attn", "input"}, {}, "add_1"), named(layer_norm(), "ln_2"),
                named(mlp, "mlp"), wired(add(), {"mlp", "add_1"}, {}, "add_2")});
  }

 private:
  TransformerBlockOptions options_;
};

}  // namespace

const Schema<TransformerBlockOptions>& TransformerBlockOptions::schema() {
  using O = TransformerBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::heads, "heads", "Heads of the attention.", required(), at_least(1))
          .field(&O::causal, "causal", "A place sees itself and what is before it, nothing after.")
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::hidden_factor, "hidden_factor",
                 "How many times wider than the sequence the hidden layer is.", at_least(1));
  return fields;
}

Choice<Layer> transformer_block(TransformerBlockOptions options) {
  return choose<Layer>("transformer_block", options);
}

void register_transformer_block(Registry<Layer>& layers) {
  layers.add<TransformerBlock>(
      "transformer_block",
      "Attention and a small network over a sequence [T, D], each after a "
      "layer norm and added to its input; a mask [T] may be a second input.");
}

}  // namespace hearth::layers
