// Scaled dot-product attention of given queries to given keys and values; nothing is learned.
#include "hearth/nn/layers/attention/dot_product_attention.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/attention/attention.h"
#include "hearth/nn/attention_options.h"
#include "hearth/nn/attention_places.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/sequence_memory.h"

namespace hearth::layers {
namespace {

constexpr const char* kDotProduct = "dot_product_attention";

class DotProductAttention : public Layer {
 public:
  using Options = DotProductAttentionOptions;
  explicit DotProductAttention(DotProductAttentionOptions options)
      : options_(options), key_heads_(options.key_value_heads.value_or(options.heads)) {}

  // Queries by keys and weights by values, of pairs that are not hidden by their places.
  [[nodiscard]] double work() const override {
    const std::vector<int64_t>& shape = input_spec().shape;
    return 2 * static_cast<double>(shape[1]) *
           seen_pairs(shape[0], seen_, options_.causal, options_.window);
  }

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() < 3)
      throw GraphError(context.path + " " + kDotProduct +
                       ": takes queries, keys and values, but got " +
                       std::to_string(inputs.size()) + " inputs. Name them in `in`.");
    for (const Spec& input : inputs.first(3)) require_sequence(context, kDotProduct, input);
    require_heads(inputs[0], options_.heads, context);
    require_pair(inputs, context);
    mask_ = penalty_ = 0;
    for (size_t i = 3; i < inputs.size(); ++i) take_further(inputs, i, context);
    if (context.is_first()) seen_ = inputs[1].shape[0];
    Spec output;
    output.shape = inputs[0].shape;
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    AttentionInput all = {inputs[0], inputs[1], inputs[2]};
    if (options_.rotary) {
      all.queries = turned_by_place(all.queries, options_.heads, options_.rotary_base);
      all.keys = turned_by_place(all.keys, key_heads_, options_.rotary_base);
    }
    const auto given = [&](size_t place) { return place > 0 ? inputs[place] : at::Tensor(); };
    if (const at::Tensor mask = given(mask_); mask.defined()) all.mask = mask.eq(0);
    if (const at::Tensor scores = given(penalty_); scores.defined())
      all.penalty = scores.unsqueeze(1);
    outputs[0] = looked_at(all);
  }

 private:
  void require_heads(const Spec& input, int64_t heads, const BuildContext& context) const {
    if (input.shape[1] % heads == 0 && (!options_.rotary || input.shape[1] / heads % 2 == 0))
      return;
    throw_input_error(context, kDotProduct,
                      std::string(options_.rotary ? "an even number of values" : "as many values") +
                          " for each of " + std::to_string(heads) + " heads",
                      input, "Change heads or the width.");
  }

  void require_pair(std::span<const Spec> inputs, const BuildContext& context) const {
    const int64_t width = inputs[0].shape[1] / options_.heads * key_heads_;
    if (inputs[1].shape == inputs[2].shape && inputs[1].shape[1] == width) return;
    throw GraphError(context.path + " " + kDotProduct + ": needs keys and values of " +
                     std::to_string(width) + " values each, but got " + inputs[1].text() + " and " +
                     inputs[2].text() + ". Change what makes them, or key_value_heads.");
  }

  // A mask or scores to add, by its shape.
  void take_further(std::span<const Spec> inputs, size_t i, const BuildContext& context) {
    const int64_t seen = inputs[1].shape[0];
    const std::vector<int64_t> pairs = {inputs[0].shape[0], seen};
    const Spec& spec = inputs[i];
    if (mask_ == 0 && spec.shape == std::vector<int64_t>{seen} && !spec.is_per_batch) {
      mask_ = i;
    } else if (penalty_ == 0 && spec.shape == pairs && spec.dtype == DType::kFloat32) {
      penalty_ = i;
    } else {
      throw GraphError(context.path + " " + kDotProduct + ": takes a mask [" +
                       std::to_string(seen) + "] and scores to add, float32 [" +
                       std::to_string(pairs[0]) + ", " + std::to_string(seen) +
                       "], each once, but got " + spec.text() + ". Name such keys in `in`.");
    }
  }

  // Of whole sequences, or of new places that look back at what is remembered.
  [[nodiscard]] at::Tensor looked_at(AttentionInput& all) const {
    SequenceMemory* memory = SequenceMemory::current();
    const bool is_plain =
        !options_.window && !options_.alibi && !all.mask.defined() && !all.penalty.defined();
    if (memory != nullptr && options_.causal && is_plain)
      return memory->attend(*this, kernels(),
                            {all.queries, all.keys, all.values, options_.heads, key_heads_});
    if (key_heads_ < options_.heads) {
      all.keys = shared_heads(all.keys, key_heads_, options_.heads);
      all.values = shared_heads(all.values, key_heads_, options_.heads);
    }
    if (options_.window) all.hidden = beyond_window(all.queries, all.keys, *options_.window);
    if (options_.alibi) {
      const at::Tensor slopes = distance_penalty(all.queries, all.keys, options_.heads);
      all.penalty = all.penalty.defined() ? all.penalty.add(slopes) : slopes;
    }
    return attention(kernels(), all,
                     {options_.heads, options_.causal, is_training() ? options_.dropout : 0});
  }

  DotProductAttentionOptions options_;
  int64_t key_heads_;
  size_t mask_ = 0;  // among the inputs; 0 for none
  size_t penalty_ = 0;
  int64_t seen_ = 0;  // places of keys
};

}  // namespace

const Schema<DotProductAttentionOptions>& DotProductAttentionOptions::schema() {
  static const auto fields = attention_fields<DotProductAttentionOptions>();
  return fields;
}

Choice<Layer> dot_product_attention(DotProductAttentionOptions options) {
  return choose<Layer>(kDotProduct, options);
}

void register_dot_product_attention(Registry<Layer>& layers) {
  layers.add<DotProductAttention>(
      kDotProduct,
      "What queries [T, D] see of values [S, D] by their keys [S, D], with several heads. A mask "
      "[S], "
      "0 where nothing is to be seen, and scores to add, [T, S], may follow.");
}

}  // namespace hearth::layers
