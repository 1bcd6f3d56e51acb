// A transformer that scores what comes next; children are named as in nanoGPT.
#include "hearth/nn/architectures/gpt.h"

#include <c10/core/GradMode.h>

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/blocks/transformer_block.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/sequence_memory.h"
#include "hearth/nn/tied_weight.h"

namespace hearth::layers {
namespace {

constexpr double kGptDeviation = 0.02;

class Gpt : public Layer, public PlaceLimit {
 public:
  using Options = GptOptions;
  explicit Gpt(GptOptions options) : options_(options) {}

  // A tied head is no child of its own.
  [[nodiscard]] double work() const override {
    if (!options_.tied) return 0;
    return static_cast<double>(input_spec().shape[0]) * static_cast<double>(tied_weight_.numel());
  }

  [[nodiscard]] int64_t most_places() const override { return length_; }

  // nanoGPT keeps all but the head in a module of its own, and names a tied head, too.
  void rename_for_torch(std::vector<NamedTensor>& tensors) const override {
    at::Tensor embedding;
    for (auto& [name, tensor] : tensors) {
      if (name == "wte.weight") embedding = tensor;
      if (!name.starts_with("lm_head.")) name = "transformer." + name;
    }
    if (options_.tied) tensors.emplace_back("lm_head.weight", embedding);
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_tokens(context, "gpt", input);
    const int64_t vocabulary =
        require_vocabulary(context, "gpt", "vocabulary", input, options_.vocabulary);
    add_embeddings(input, vocabulary, context);
    add_blocks(input, vocabulary, context);
    if (context.is_first()) draw_first_values(context);
    Spec output;
    output.shape = {vocabulary, input.shape[0]};
    output.classes = vocabulary;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor value = (*wte_)(input).add((*wpe_)(place_numbers(input)));
    if (drop_ != nullptr) value = (*drop_)(value);
    value = (*h_)(value);
    // Who goes on from what is remembered asks what comes after the last place alone.
    if (SequenceMemory::current() != nullptr) value = value.narrow(1, value.size(1) - 1, 1);
    value = (*ln_f_)(value);
    const at::Tensor scores =
        options_.tied ? linear_product(kernels(), value, tied_weight_, {}) : (*lm_head_)(value);
    // Losses and metrics want the classes before the places; the memory stays as it is.
    return scores.transpose(1, 2);
  }

 private:
  void add_embeddings(const Spec& input, int64_t vocabulary, const BuildContext& context) {
    const int64_t length = options_.length.value_or(input.shape[0]);
    if (input.shape[0] > length) {
      throw_input_error(context, "gpt", "at most " + std::to_string(length) + " tokens", input,
                        "Use a larger length, or leave it out to take the input's.");
    }
    if (context.is_first()) length_ = length;
    const int64_t width = options_.width;
    wte_ = add_child("wte", embedding({.entries = vocabulary, .size = width}), input, context);
    wpe_ = add_child("wpe", embedding({.entries = length, .size = width}), input, context);
  }

  void add_blocks(const Spec& input, int64_t vocabulary, const BuildContext& context) {
    Spec spec;
    spec.shape = {input.shape[0], options_.width};
    const auto block = transformer_block({.heads = options_.heads, .dropout = options_.dropout});
    const auto count = static_cast<size_t>(options_.layers);
    if (options_.dropout > 0) drop_ = add_child("drop", dropout({options_.dropout}), spec, context);
    h_ = add_child("h", sequential({std::vector<Choice<Layer>>(count, block)}), spec, context);
    ln_f_ = add_child("ln_f", layer_norm(), spec, context);
    if (options_.tied)
      tied_weight_ = tied_weight(context, "gpt", "wte", *wte_, {vocabulary, options_.width});
    else
      lm_head_ =
          add_child("lm_head", linear({.out_features = vocabulary, .bias = false}), spec, context);
  }

  // As GPT-2: small normal weights, those that end on the residual path smaller with the depth.
  void draw_first_values(const BuildContext& context) const {
    const c10::AutoGradMode no_grad(false);
    const double depth_scale = 1 / std::sqrt(2 * static_cast<double>(options_.layers));
    for (const auto& [name, tensor] : parameters()) {
      if (name.ends_with("bias")) tensor.zero_();
      if (tensor.dim() < 2 || !name.ends_with("weight")) continue;
      const bool is_projection = name.ends_with("c_proj.weight");
      tensor.copy_(normal(context, name, tensor.sizes(),
                          is_projection ? kGptDeviation * depth_scale : kGptDeviation));
    }
  }

  GptOptions options_;
  int64_t length_ = 0;
  Layer* wte_ = nullptr;
  Layer* wpe_ = nullptr;
  Layer* drop_ = nullptr;  // null without dropout
  Layer* h_ = nullptr;
  Layer* ln_f_ = nullptr;
  Layer* lm_head_ = nullptr;  // null when the head is tied
  at::Tensor tied_weight_;
};

}  // namespace

const Schema<GptOptions>& GptOptions::schema() {
  using O = GptOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layers, "layers", "Transformer blocks one after another.", layer_count())
          .field(&O::width, "width", "Values that stand for a token.", at_least(1))
          .field(&O::heads, "heads", "Heads of the attention; they share the width evenly.",
                 at_least(1))
          .field(&O::length, "length",
                 "Places that have an embedding; as many as the input has when left out.",
                 at_least(1))
          .field(&O::vocabulary, "vocabulary",
                 "How many different tokens there are; from the data when left out.", at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::tied, "tied", "The head uses the weights of the token embedding.")
          .check("heads must divide width.",
                 [](const O& options) { return options.width % options.heads == 0; });
  return fields;
}

Choice<Layer> gpt(GptOptions options) { return choose<Layer>("gpt", options); }

void register_gpt(Registry<Layer>& layers) {
  layers.add<Gpt>("gpt",
                  "A transformer over tokens, int64 [T], that scores the next one at every place.");
}

}  // namespace hearth::layers
