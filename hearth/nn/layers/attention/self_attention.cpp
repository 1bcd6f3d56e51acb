// Attention of a sequence to itself, with several heads; children are named as in nanoGPT.
#include "hearth/nn/layers/attention/self_attention.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/attention/attention.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/sequence_memory.h"

namespace hearth::layers {
namespace {

class SelfAttention : public Layer {
 public:
  using Options = SelfAttentionOptions;
  explicit SelfAttention(SelfAttentionOptions options) : options_(options) {}

  // Queries by keys and weights by values; a causal place looks at what is before it only.
  [[nodiscard]] double work() const override {
    const auto length = static_cast<double>(input_spec().shape[0]);
    const auto width = static_cast<double>(input_spec().shape[1]);
    return width * length * (options_.causal ? length + 1 : 2 * length);
  }

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& input = inputs.front();
    require_sequence(context, "self_attention", input);
    if (inputs.size() > 1) require_mask(context, "self_attention", input, inputs.subspan(1));
    const int64_t width = input.shape[1];
    if (width % options_.heads != 0) {
      throw_input_error(context, "self_attention",
                        "a width that " + std::to_string(options_.heads) + " heads share evenly",
                        input, "Change heads or the width.");
    }
    const bool bias = options_.bias;
    c_attn_ =
        add_child("c_attn", linear({.out_features = 3 * width, .bias = bias}), input, context);
    c_proj_ = add_child("c_proj", linear({.out_features = width, .bias = bias}), input, context);
    if (options_.dropout > 0)
      resid_dropout_ = add_child("resid_dropout", dropout({options_.dropout}), input, context);
    return {c_proj_->output_spec()};
  }

  at::Tensor forward(const at::Tensor& input) override { return mixed(input, {}, {}); }
  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    return mixed(input, {}, tail);
  }
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const bool has_mask = inputs.size() > 1 && inputs[1].defined();
    outputs[0] = mixed(inputs[0], has_mask ? inputs[1].eq(0) : at::Tensor(), {});
  }

 private:
  // Nobody looks at places where `hidden` is true.
  [[nodiscard]] at::Tensor mixed(const at::Tensor& input, const at::Tensor& hidden,
                                 const Tail& tail) const {
    const at::Tensor seen = looked_at((*c_attn_)(input), hidden);
    if (resid_dropout_ == nullptr) return (*c_proj_)(seen, tail);
    return (*resid_dropout_)((*c_proj_)(seen), tail);
  }

  // Of whole sequences, or of new places that look back at what is remembered.
  [[nodiscard]] at::Tensor looked_at(const at::Tensor& packed, const at::Tensor& hidden) const {
    SequenceMemory* memory = SequenceMemory::current();
    if (memory != nullptr && options_.causal && !hidden.defined()) {
      const std::vector<at::Tensor> parts = packed.chunk(3, 2);
      return memory->attend(*this, kernels(),
                            {parts[0], parts[1], parts[2], options_.heads, options_.heads});
    }
    const AttentionSettings settings{options_.heads, options_.causal,
                                     is_training() ? options_.dropout : 0};
    return attention(kernels(), packed, settings, hidden);
  }

  SelfAttentionOptions options_;
  Layer* c_attn_ = nullptr;
  Layer* c_proj_ = nullptr;
  Layer* resid_dropout_ = nullptr;  // null without dropout
};

}  // namespace

const Schema<SelfAttentionOptions>& SelfAttentionOptions::schema() {
  using O = SelfAttentionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::heads, "heads", "Parts the width is split into, each attending alone.",
                 required(), at_least(1))
          .field(&O::causal, "causal", "A place sees itself and what is before it, nothing after.")
          .field(&O::dropout, "dropout",
                 "Share of attention weights, and of what comes out, dropped while training.",
                 at_least(0), below(1))
          .field(&O::bias, "bias", "Add learned biases.");
  return fields;
}

Choice<Layer> self_attention(SelfAttentionOptions options) {
  return choose<Layer>("self_attention", options);
}

void register_self_attention(Registry<Layer>& layers) {
  layers.add<SelfAttention>(
      "self_attention",
      "Attention of a sequence [T, D] to itself, with several heads; with a mask "
      "[T] as a second input, places where it is 0 are not looked at.");
}

}  // namespace hearth::layers
