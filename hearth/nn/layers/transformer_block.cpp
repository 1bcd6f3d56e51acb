// A transformer's block, with the norms first; children are named as in nanoGPT.
#include "hearth/nn/layers/transformer_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/dropout.h"
#include "hearth/nn/layers/gelu.h"
#include "hearth/nn/layers/layer_norm.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/self_attention.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

// A place's own small network: wider by the factor, gelu, and back.
class TransformerMlp : public Layer {
 public:
  TransformerMlp(int64_t factor, double dropped) : factor_(factor), dropped_(dropped) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    const int64_t width = input.shape[1];
    std::vector<std::pair<std::string, Choice<Layer>>> chain = {
        {"c_fc", linear({.out_features = factor_ * width})},
        {"gelu", gelu()},
        {"c_proj", linear({.out_features = width})}};
    if (dropped_ > 0) chain.emplace_back("dropout", dropout({dropped_}));
    return add_chain(chain, input, context);
  }

  at::Tensor forward(const at::Tensor& input) override { return run_chain(input); }
  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    return run_chain(input, tail);
  }

 private:
  int64_t factor_;
  double dropped_;
};

class TransformerBlock : public Layer {
 public:
  using Options = TransformerBlockOptions;
  explicit TransformerBlock(TransformerBlockOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_sequence(context, "transformer_block", input);
    const auto attn = self_attention(
        {.heads = options_.heads, .causal = options_.causal, .dropout = options_.dropout});
    const Spec spec =
        add_chain({{"ln_1", layer_norm()}, {"attn", attn}, {"ln_2", layer_norm()}}, input, context);
    return add_child("mlp",
                     std::make_unique<TransformerMlp>(options_.hidden_factor, options_.dropout),
                     spec, context);
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor value = child(1)(child(0)(input), {.addend = input});
    return child(3)(child(2)(value), {.addend = value});
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
  layers.add<TransformerBlock>("transformer_block",
                               "Attention and a small network over a sequence [T, D], each after a "
                               "layer norm and added to its input.");
}

}  // namespace hearth
