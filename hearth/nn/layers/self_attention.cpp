// Attention of a sequence to itself, with several heads; children are named as in nanoGPT.
#include "hearth/nn/layers/self_attention.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/attention.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/dropout.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/requirements.h"

namespace hearth {
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
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_sequence(context, "self_attention", input);
    const int64_t width = input.shape[1];
    if (width % options_.heads != 0) {
      throw_input_error(context, "self_attention",
                        "a width that " + std::to_string(options_.heads) + " heads share evenly",
                        input, "Change heads or the width.");
    }
    const bool bias = options_.bias;
    (void)add_chain({{"c_attn", linear({.out_features = 3 * width, .bias = bias})}}, input,
                    context);
    Spec output =
        add_chain({{"c_proj", linear({.out_features = width, .bias = bias})}}, input, context);
    if (options_.dropout > 0) {
      (void)add_chain({{"resid_dropout", dropout({options_.dropout})}}, output, context);
    }
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }

  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    const AttentionSettings settings{options_.heads, options_.causal,
                                     is_training() ? options_.dropout : 0};
    const at::Tensor mixed = attention(kernels(), child(0)(input), settings, {});
    if (child_count() == 2) return child(1)(mixed, tail);
    return child(2)(child(1)(mixed), tail);
  }

 private:
  SelfAttentionOptions options_;
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
  layers.add<SelfAttention>("self_attention",
                            "Attention of a sequence [T, D] to itself, with several heads.");
}

}  // namespace hearth
