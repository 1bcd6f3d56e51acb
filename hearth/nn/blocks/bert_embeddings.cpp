// What BERT makes of tokens; children are named as in Hugging Face's BertEmbeddings.
#include "hearth/nn/blocks/bert_embeddings.h"

#include <ATen/ops/arange.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class BertEmbeddings : public Layer {
 public:
  using Options = BertEmbeddingsOptions;
  explicit BertEmbeddings(BertEmbeddingsOptions options) : options_(options) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& tokens = inputs.front();
    require_tokens(context, "bert_embeddings", tokens);
    if (inputs.size() > 1) require_types(inputs, context);
    const int64_t length = options_.length.value_or(tokens.shape[0]);
    if (length == kAnyLength || tokens.shape[0] > length)
      throw_input_error(context, "bert_embeddings", "a number of tokens, at most its length",
                        tokens, "Set the option length to the most there are.");
    const auto rows = [&](const std::string& name, std::optional<int64_t> entries) {
      return add_child(name, embedding({.entries = entries, .size = options_.size}), tokens,
                       context);
    };
    words_ = rows("word_embeddings", options_.entries);
    places_ = rows("position_embeddings", length);
    types_ = rows("token_type_embeddings", options_.token_types);
    const Spec& output = words_->output_spec();
    norm_ = add_child("LayerNorm", layer_norm({.eps = options_.eps}), output, context);
    if (options_.dropout > 0)
      dropout_ = add_child("dropout", dropout({options_.dropout}), output, context);
    return {output};
  }

  // Without segments all tokens are in the first.
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const at::Tensor places = at::arange(inputs[0].size(1), inputs[0].options());
    const bool has_types = inputs.size() > 1 && inputs[1].defined();
    const at::Tensor types = (*types_)(has_types ? inputs[1] : places.mul(0));
    const at::Tensor sum = (*words_)(inputs[0]).add(types).add((*places_)(places));
    outputs[0] = (*norm_)(sum);
    if (dropout_ != nullptr) outputs[0] = (*dropout_)(outputs[0]);
  }

 private:
  static void require_types(std::span<const Spec> inputs, const BuildContext& context) {
    require_tokens(context, "bert_embeddings", inputs[1]);
    if (inputs.size() == 2 && inputs[1].shape == inputs[0].shape) return;
    throw GraphError(context.path +
                     " bert_embeddings: takes tokens and a segment for each, but got " +
                     inputs[0].text() + " and " + inputs[1].text() +
                     (inputs.size() > 2 ? " and more" : "") + ". Name such keys in `in`.");
  }

  BertEmbeddingsOptions options_;
  Layer* words_ = nullptr;
  Layer* places_ = nullptr;
  Layer* types_ = nullptr;
  Layer* norm_ = nullptr;
  Layer* dropout_ = nullptr;  // null without dropout
};

}  // namespace

const Schema<BertEmbeddingsOptions>& BertEmbeddingsOptions::schema() {
  using O = BertEmbeddingsOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::size, "size", "Values that come out for each token.", required(), at_least(1))
          .field(&O::entries, "entries",
                 "How many different tokens there are; from the data when left out.", at_least(1))
          .field(&O::length, "length",
                 "Places that have an embedding; as many as the input has when left out.",
                 at_least(1))
          .field(&O::token_types, "token_types", "How many segments there may be.", at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::eps, "eps", "Added to the variance by the layer norm.", above(0));
  return fields;
}

Choice<Layer> bert_embeddings(BertEmbeddingsOptions options) {
  return choose<Layer>("bert_embeddings", options);
}

void register_bert_embeddings(Registry<Layer>& layers) {
  layers.add<BertEmbeddings>("bert_embeddings",
                             "The sum of learned rows for tokens, int64 [T], their places and "
                             "their segments, which may be "
                             "a second input, through a layer norm.");
}

}  // namespace hearth::layers
