// BERT; children are named as in Hugging Face's BertModel, and its head as in BertForMaskedLM.
#include "hearth/nn/architectures/bert.h"

#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/blocks/bert_embeddings.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/activation/tanh.h"
#include "hearth/nn/layers/attention/dot_product_attention.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/pooling/place_pool.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/first_places.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/tied_weight.h"
#include "hearth/nn/transformer_parts.h"

namespace hearth::layers {
namespace {

constexpr double kBertDeviation = 0.02;
constexpr double kBertEps = 1e-12;
constexpr const char* kBertBias = "cls.predictions.bias";

Choice<Layer> bert_norm() { return named(layer_norm({.eps = kBertEps}), "LayerNorm"); }
Choice<Layer> bert_dense(int64_t width) { return named(linear({.out_features = width}), "dense"); }

// The end of both parts of a layer: back to the width, added to what came before the part.
Choice<Layer> bert_output(const BertOptions& options) {
  GraphOptions parts{.nodes = {wired(bert_dense(options.width), {"input"})},
                     .inputs = {"input", "before"}};
  if (options.dropout > 0) parts.nodes.push_back(named(dropout({options.dropout}), "dropout"));
  const std::string last = options.dropout > 0 ? "dropout" : "dense";
  parts.nodes.push_back(wired(add(), {last, "before"}, {}, "add"));
  parts.nodes.push_back(bert_norm());
  return graph(parts);
}

// What the places that look are in a graph with these nodes: its input, or only the first place.
std::string looking_places(bool is_only_first, std::vector<Choice<Layer>>& nodes) {
  if (!is_only_first) return "input";
  nodes.push_back(wired(first_places(), {"input"}, {}, "first"));
  return "first";
}

Choice<Layer> bert_attention(const BertOptions& options, const std::vector<std::string>& inputs,
                             bool is_only_first) {
  const auto projection = linear({.out_features = options.width});
  std::vector<std::string> looks = {"query", "key", "value"};
  looks.insert(looks.end(), inputs.begin() + 1, inputs.end());
  GraphOptions self{.inputs = inputs};
  const std::string looking = looking_places(is_only_first, self.nodes);
  self.nodes.push_back(wired(projection, {looking}, {}, "query"));
  self.nodes.push_back(wired(projection, {"input"}, {}, "key"));
  self.nodes.push_back(wired(projection, {"input"}, {}, "value"));
  self.nodes.push_back(
      wired(dot_product_attention({.heads = options.heads, .dropout = options.dropout}), looks, {},
            "heads"));
  GraphOptions all{.inputs = inputs};
  const std::string before = looking_places(is_only_first, all.nodes);
  all.nodes.push_back(wired(graph(self), inputs, {}, "self"));
  all.nodes.push_back(wired(bert_output(options), {"self", before}, {}, "output"));
  return graph(all);
}

Choice<Layer> bert_layer(const BertOptions& options, const std::vector<std::string>& inputs,
                         bool is_only_first) {
  const auto intermediate = graph({.nodes = {bert_dense(options.hidden), gelu()}});
  return graph(
      {.nodes = {wired(bert_attention(options, inputs, is_only_first), inputs, {}, "attention"),
                 wired(intermediate, {"attention"}, {}, "intermediate"),
                 wired(bert_output(options), {"intermediate", "attention"}, {}, "output")},
       .inputs = inputs});
}

class Bert : public Layer {
 public:
  using Options = BertOptions;
  explicit Bert(BertOptions options) : options_(std::move(options)) {}

  // The head multiplies by the embedding of the tokens, which is no child of its own.
  [[nodiscard]] double work() const override {
    if (!tied_weight_.defined()) return 0;
    return static_cast<double>(input_spec().shape[0]) * static_cast<double>(tied_weight_.numel());
  }

  // With a head, Hugging Face keeps all else in a module of its own.
  void rename_for_torch(std::vector<NamedTensor>& tensors) const override {
    if (!tied_weight_.defined()) return;
    at::Tensor embedding;
    for (auto& [name, tensor] : tensors) {
      if (name == "embeddings.word_embeddings.weight") embedding = tensor;
      if (!name.starts_with("cls.")) name = "bert." + name;
    }
    tensors.emplace_back("cls.predictions.decoder.weight", embedding);
  }

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    require_tokens(context, "bert", inputs.front());
    const int64_t vocabulary =
        require_vocabulary(context, "bert", "vocabulary", inputs.front(), options_.vocabulary);
    std::vector<Spec> outputs = Layer::prepare(inputs, context);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (options_.output[i] != "scores") continue;
      const std::string words = "embeddings.word_embeddings";
      const Layer* table = find(words);
      if (table == nullptr)
        throw GraphError(context.path + " bert: its scores use the weight of " + quote(words) +
                         ", which is not there. Keep that layer.");
      tied_weight_ = tied_weight(context, "bert", words, *table, {vocabulary, options_.width});
      bias_ = add_parameter(kBertBias, filled(context, kBertBias, {vocabulary}, 0));
      outputs[i].shape = {vocabulary, inputs.front().shape[0]};
      outputs[i].classes = vocabulary;
    }
    if (context.is_first())
      draw_products(*this, context, normal_weights(kBertDeviation), {"linear", "embedding"});
    return outputs;
  }

  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() > 3)
      throw GraphError(context.path + " bert: takes tokens, a mask and segments, but got " +
                       std::to_string(inputs.size()) + " inputs. Name at most three in `in`.");
    std::vector<std::string> names = {"tokens", "mask", "token_types"};
    names.resize(inputs.size());
    std::vector<std::string> looked = {"tokens"};
    if (names.size() > 2) looked.push_back(names[2]);
    std::vector<std::string> masks;
    if (names.size() > 1) masks.push_back(names[1]);
    std::vector<Choice<Layer>> nodes = {wired(embeddings(), looked, {}, "embeddings"),
                                        encoder_node(masks)};
    std::vector<std::string> outputs;
    for (const std::string& name : options_.output) {
      const std::string node = node_of(name);
      outputs.push_back(node);
      if (node == "pooler") nodes.push_back(wired(pooler(), {"encoder"}, {}, node));
      if (node == "cls") nodes.push_back(wired(transform(), {"encoder"}, {}, node));
    }
    return described(names, nodes, outputs);
  }

  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor output;
    forward(std::span(&input, 1), std::span(&output, 1));
    return output;
  }
  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    return apply_tail(forward(input), tail);
  }
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    Layer::forward(inputs, outputs);
    for (size_t i = 0; i < outputs.size(); ++i)
      // Losses and metrics want the classes before the places; the memory stays as it is.
      if (options_.output[i] == "scores")
        outputs[i] = linear_product(kernels(), outputs[i], tied_weight_, bias_).transpose(1, 2);
  }

 private:
  static std::string node_of(const std::string& output) {
    if (output == "pooled") return "pooler";
    return output == "scores" ? "cls" : "encoder";
  }

  [[nodiscard]] Choice<Layer> embeddings() const {
    return bert_embeddings({.size = options_.width,
                            .entries = options_.vocabulary,
                            .length = options_.length,
                            .token_types = options_.token_types,
                            .dropout = options_.dropout,
                            .eps = kBertEps});
  }

  [[nodiscard]] Choice<Layer> encoder_node(const std::vector<std::string>& masks) const {
    std::vector<std::string> inputs = {"input"};
    inputs.insert(inputs.end(), masks.begin(), masks.end());
    // Nobody sees more of the last layer than the first place when only that is pooled.
    const bool is_only_pooled = options_.output == std::vector<std::string>{"pooled"};
    std::vector<Choice<Layer>> blocks(static_cast<size_t>(options_.layers - 1),
                                      bert_layer(options_, inputs, false));
    blocks.push_back(bert_layer(options_, inputs, is_only_pooled));
    const auto layers = stacked(blocks, masks);
    std::vector<std::string> reads = {"embeddings"};
    reads.insert(reads.end(), masks.begin(), masks.end());
    return wired(graph({.nodes = {wired(layers, inputs, {}, "layer")}, .inputs = inputs}), reads,
                 {}, "encoder");
  }

  // Of the first place, which stands for the whole text.
  [[nodiscard]] Choice<Layer> pooler() const {
    return graph({.nodes = {place_pool({.place = "first"}), bert_dense(options_.width), tanh()}});
  }

  [[nodiscard]] Choice<Layer> transform() const {
    const auto layers = graph({.nodes = {bert_dense(options_.width), gelu(), bert_norm()}});
    return graph({.nodes = {named(graph({.nodes = {named(layers, "transform")}}), "predictions")}});
  }

  BertOptions options_;
  at::Tensor tied_weight_;  // undefined without scores
  at::Tensor bias_;
};

}  // namespace

const Schema<BertOptions>& BertOptions::schema() {
  using O = BertOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layers, "layers", "Transformer layers one after another.", layer_count())
          .field(&O::width, "width", "Values that stand for a token.", at_least(1))
          .field(&O::heads, "heads", "Heads of the attention; they share the width evenly.",
                 at_least(1))
          .field(&O::hidden, "hidden", "Width of the hidden layer of each place's small network.",
                 at_least(1))
          .field(&O::length, "length",
                 "Places that have an embedding; as many as the input has when left out.",
                 at_least(1))
          .field(&O::vocabulary, "vocabulary",
                 "How many different tokens there are; from the data when left out.", at_least(1))
          .field(&O::token_types, "token_types", "How many segments a text may have.", at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::output, "output",
                 "What comes out, one or several: sequence, [T, width]; pooled, [width], for the "
                 "whole text; scores, [vocabulary, T], of the token that belongs at each place, by "
                 "the weights of the token embedding.",
                 not_empty(), one_of({"sequence", "pooled", "scores"}))
          .check(
              "bert: output may name each value once.",
              [](const O& options) {
                return std::set<std::string>(options.output.begin(), options.output.end()).size() ==
                       options.output.size();
              })
          .check("heads must divide width.",
                 [](const O& options) { return options.width % options.heads == 0; });
  return fields;
}

Choice<Layer> bert(BertOptions options) { return choose<Layer>("bert", options); }

void register_bert(Registry<Layer>& layers) {
  layers.add<Bert>("bert",
                   "A transformer that reads tokens, int64 [T], all at once; a mask [T], 0 where "
                   "nothing is, and segments, int64 [T], may follow.");
}

}  // namespace hearth::layers
