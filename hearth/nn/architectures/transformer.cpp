// A transformer with an encoder and a decoder; both are named as in PyTorch's Transformer.
#include "hearth/nn/architectures/transformer.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/blocks/transformer_decoder_block.h"
#include "hearth/nn/blocks/transformer_encoder_block.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/position/sinusoidal_positions.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/permute.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/transformer_parts.h"

namespace hearth::layers {
namespace {

// Encoder and decoder blocks have the same options.
template <class O>
O block_options(const TransformerOptions& options) {
  return {.heads = options.heads,
          .dim_feedforward = options.dim_feedforward,
          .dropout = options.dropout,
          .activation = options.activation,
          .layer_norm_eps = options.layer_norm_eps,
          .norm_first = options.norm_first};
}

class Transformer : public Layer {
 public:
  using Options = TransformerOptions;
  explicit Transformer(TransformerOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_inputs(inputs, context);
    const int64_t vocabulary = require_vocabulary(context, "transformer", "target_vocabulary",
                                                  inputs[1], options_.target_vocabulary);
    std::vector<std::string> names = {"source", "target", "source_mask", "target_mask"};
    names.resize(inputs.size());
    std::vector<Choice<Layer>> nodes;
    add_embedding("source", options_.source_vocabulary, nodes);
    add_stack("encoder",
              transformer_encoder_block(block_options<TransformerEncoderBlockOptions>(options_)),
              options_.encoder_layers, masks(names, 2, 3), nodes);
    add_embedding("target", options_.target_vocabulary, nodes);
    std::vector<std::string> seen = {"encoder"};
    for (const std::string& mask : masks(names, 2, 4)) seen.push_back(mask);
    add_stack("decoder",
              transformer_decoder_block(block_options<TransformerDecoderBlockOptions>(options_)),
              options_.decoder_layers, seen, nodes);
    nodes.push_back(named(linear({.out_features = vocabulary}), "head"));
    // Losses and metrics want the classes before the places.
    nodes.push_back(named(permute({.dims = {1, 0}}), "scores"));
    Description all = described(names, nodes);
    all.classes = vocabulary;
    return all;
  }

 private:
  static void require_inputs(std::span<const Spec> inputs, const BuildContext& context) {
    if (inputs.size() < 2 || inputs.size() > 4)
      throw GraphError(context.path +
                       " transformer: takes the tokens of two texts and perhaps a mask for each, "
                       "but got " +
                       std::to_string(inputs.size()) + " inputs. Name them in `in`.");
    for (const Spec& tokens : inputs.first(2)) require_tokens(context, "transformer", tokens);
  }

  static std::vector<std::string> masks(const std::vector<std::string>& names, size_t from,
                                        size_t to) {
    std::vector<std::string> found;
    for (size_t i = from; i < to && i < names.size(); ++i) found.push_back(names[i]);
    return found;
  }

  // Rows of the spread that the waves have; Vaswani et al. draw smaller ones and enlarge them.
  void add_embedding(const std::string& text, std::optional<int64_t> vocabulary,
                     std::vector<Choice<Layer>>& nodes) const {
    nodes.push_back(wired(embedding({.entries = vocabulary, .size = options_.width}), {text}, {},
                          text + "_embedding"));
    nodes.push_back(named(sinusoidal_positions(), text + "_positions"));
    if (options_.dropout > 0)
      nodes.push_back(named(dropout({options_.dropout}), text + "_dropout"));
  }

  // Blocks and a norm over the value of the last node; the blocks read `further`, too.
  void add_stack(const std::string& name, const Choice<Layer>& block, int64_t count,
                 const std::vector<std::string>& further, std::vector<Choice<Layer>>& nodes) const {
    GraphOptions stack;
    std::vector<std::string> reads = {
        (name == "encoder" ? "source" : "target") +
        std::string(options_.dropout > 0 ? "_dropout" : "_positions")};
    for (const std::string& value : further) {
      stack.inputs.push_back(value);
      reads.push_back(value);
    }
    stack.nodes = {wired(stacked(std::vector(static_cast<size_t>(count), block), further),
                         stack.inputs, {}, "layers"),
                   named(layer_norm({.eps = options_.layer_norm_eps}), "norm")};
    nodes.push_back(wired(graph(stack), reads, {}, name));
  }

  TransformerOptions options_;
};

}  // namespace

const Schema<TransformerOptions>& TransformerOptions::schema() {
  using O = TransformerOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::width, "width", "Values that stand for a token.", at_least(2))
          .field(&O::heads, "heads", "Heads of the attention; they share the width evenly.",
                 at_least(1))
          .field(&O::encoder_layers, "encoder_layers", "Layers that read the first text.",
                 layer_count())
          .field(&O::decoder_layers, "decoder_layers", "Layers that score the second text.",
                 layer_count())
          .field(&O::dim_feedforward, "dim_feedforward", "Width of the hidden layers.", at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::activation, "activation", "The layer behind each hidden one.")
          .field(&O::layer_norm_eps, "layer_norm_eps", "Added to variances by the layer norms.",
                 above(0))
          .field(&O::norm_first, "norm_first",
                 "Norms before attention and network instead of behind them.")
          .field(&O::source_vocabulary, "source_vocabulary",
                 "How many different tokens the first text has; from the data when left out.",
                 at_least(1))
          .field(&O::target_vocabulary, "target_vocabulary",
                 "How many different tokens the second text has; from the data when left out.",
                 at_least(1))
          .check("heads must divide width, which must be even.", [](const O& options) {
            return options.width % options.heads == 0 && options.width % 2 == 0;
          });
  return fields;
}

Choice<Layer> transformer(TransformerOptions options) {
  return choose<Layer>("transformer", options);
}

void register_transformer(Registry<Layer>& layers) {
  layers.add<Transformer>(
      "transformer",
      "An encoder reads tokens, int64 [S]; a decoder looks at them and scores what comes next at "
      "every place of other tokens, int64 [T]. Masks [S] and [T] may follow.");
}

}  // namespace hearth::layers
