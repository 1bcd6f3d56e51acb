// Attention with several heads; parameters are named as in PyTorch's MultiheadAttention.
#include "hearth/nn/layers/attention/multihead_attention.h"

#include <ATen/ops/full.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/attention/attention.h"
#include "hearth/kernels/dropout/dropout.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer_edits.h"
#include "hearth/nn/layers/composition/lora.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/sequence_memory.h"

namespace hearth::layers {
namespace {

class MultiheadAttention : public Layer {
 public:
  using Options = MultiheadAttentionOptions;
  explicit MultiheadAttention(MultiheadAttentionOptions options) : options_(options) {}

  // The three projections, queries by keys and weights by values; out_proj counts for itself.
  [[nodiscard]] double work() const override {
    const auto length = static_cast<double>(input_spec().shape[0]);
    const auto width = static_cast<double>(input_spec().shape[1]);
    const double seen = has_memory_ ? memory_length_ : length;
    const double pairs = options_.causal ? length * (seen + 1) / 2 : length * seen;
    const double rows = length + 2 * seen;
    const double low = down_.defined() ? static_cast<double>(down_.size(0)) : 0;
    const double down_rows = has_memory_ ? length + seen : length;
    return width * width * rows + 2 * width * pairs + width * low * (rows + down_rows);
  }

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& input = inputs.front();
    require_sequence(context, "multihead_attention", input);
    require_even_heads(input, context);
    has_memory_ = inputs.size() > 1 && inputs[1].shape.size() != 1;
    if (has_memory_) require_memory(input, inputs[1], context);
    const auto further = inputs.subspan(has_memory_ ? 2 : 1);
    if (!further.empty())
      require_mask(context, "multihead_attention", has_memory_ ? inputs[1] : input, further);
    add_weights(input, context);
    return {out_proj_->output_spec()};
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }
  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    return (*out_proj_)(attended(input, {}, {}), tail);
  }
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const size_t place = has_memory_ ? 2 : 1;
    const bool has_mask = inputs.size() > place && inputs[place].defined();
    const at::Tensor hidden = has_mask ? inputs[place].eq(0) : at::Tensor();
    outputs[0] = (*out_proj_)(attended(inputs[0], has_memory_ ? inputs[1] : at::Tensor(), hidden));
  }

 private:
  void require_even_heads(const Spec& input, const BuildContext& context) const {
    if (input.shape[1] % options_.heads == 0) return;
    throw_input_error(context, "multihead_attention",
                      "a width that " + std::to_string(options_.heads) + " heads share evenly",
                      input, "Change heads or the width.");
  }

  void require_memory(const Spec& input, const Spec& memory, const BuildContext& context) {
    require_sequence(context, "multihead_attention", memory);
    if (memory.shape[1] != input.shape[1])
      throw GraphError(context.path + " multihead_attention: looks from " + input.text() + " at " +
                       memory.text() +
                       ", but both need one width. Put a linear layer before one of them.");
    if (context.is_first()) memory_length_ = static_cast<double>(memory.shape[0]);
  }

  // First values as PyTorch's: uniform by both sides of the weight, biases zero.
  void add_weights(const Spec& input, const BuildContext& context) {
    const int64_t width = input.shape[1];
    const double bound = std::sqrt(6 / static_cast<double>(4 * width));
    in_proj_weight_ = add_parameter("in_proj_weight",
                                    uniform(context, "in_proj_weight", {3 * width, width}, bound));
    if (options_.bias)
      in_proj_bias_ =
          add_parameter("in_proj_bias", filled(context, "in_proj_bias", {3 * width}, 0));
    add_low_rank(width, context);
    out_proj_ = add_child("out_proj", linear({.out_features = width, .bias = options_.bias}), input,
                          context);
    if (!context.is_first() || !options_.bias) return;
    const c10::AutoGradMode no_grad(false);
    // By name: edits may have put another layer there, around it or behind it.
    for (const auto& [name, tensor] : out_proj_->handles())
      if (name == "bias") tensor.zero_();
  }

  // As beside a linear layer at "in_proj", by names that merge with the weight's.
  void add_low_rank(int64_t width, const BuildContext& context) {
    const std::string path = context.path.empty() ? "in_proj" : context.path + ".in_proj";
    if (context.is_first() && context.edits != nullptr)
      if (const auto part = context.edits->low_rank_part(path))
        low_rank_ = LoraOptions::schema().read(part->options());
    if (!low_rank_) return;
    const int64_t rank = low_rank_->rank;
    down_ = add_parameter("in_proj_lora_a",
                          fan_in_uniform(context, "in_proj_lora_a", {rank, width}, width));
    up_ = add_parameter("in_proj_lora_b", filled(context, "in_proj_lora_b", {3 * width, rank}, 0));
    (void)add_buffer("in_proj_lora_scale", at::full({}, low_rank_scale(), at::kFloat));
  }

  [[nodiscard]] double low_rank_scale() const {
    return low_rank_->alpha / static_cast<double>(low_rank_->rank);
  }

  // Nobody looks at places where `hidden` is true.
  [[nodiscard]] at::Tensor attended(const at::Tensor& input, const at::Tensor& memory,
                                    const at::Tensor& hidden) const {
    const AttentionSettings settings{options_.heads, options_.causal,
                                     is_training() ? options_.dropout : 0};
    if (!memory.defined()) {
      const at::Tensor packed = with_low_rank(
          input, linear_product(kernels(), input, in_proj_weight_, in_proj_bias_), up_);
      SequenceMemory* known = SequenceMemory::current();
      if (known == nullptr || !options_.causal || hides_any(hidden))
        return attention(kernels(), packed, settings, hidden);
      const std::vector<at::Tensor> parts = packed.chunk(3, 2);
      return known->attend(*this, kernels(),
                           {parts[0], parts[1], parts[2], options_.heads, options_.heads});
    }
    const int64_t width = in_proj_weight_.size(1);
    return cross_attention(kernels(), projected(input, 0, width),
                           projected(memory, width, 3 * width), settings, hidden);
  }

  [[nodiscard]] static bool hides_any(const at::Tensor& hidden) {
    return hidden.defined() && hidden.any().item<bool>();
  }

  // Through some of the weight's rows.
  [[nodiscard]] at::Tensor projected(const at::Tensor& input, int64_t from, int64_t to) const {
    const at::Tensor bias = options_.bias ? in_proj_bias_.slice(0, from, to) : at::Tensor();
    const at::Tensor whole =
        linear_product(kernels(), input, in_proj_weight_.slice(0, from, to), bias);
    return with_low_rank(input, whole, low_rank_ ? up_.slice(0, from, to) : at::Tensor());
  }

  // With what the low-rank part adds, through these rows of it.
  [[nodiscard]] at::Tensor with_low_rank(const at::Tensor& input, const at::Tensor& product,
                                         const at::Tensor& up) const {
    if (!low_rank_) return product;
    const at::Tensor kept = is_training() && low_rank_->dropout > 0
                                ? drop_values(kernels(), input, low_rank_->dropout)
                                : input;
    const at::Tensor low = linear_product(kernels(), kept, down_, {}).mul(low_rank_scale());
    return linear_product(kernels(), low, up, {}, product);
  }

  MultiheadAttentionOptions options_;
  at::Tensor in_proj_weight_;
  at::Tensor in_proj_bias_;
  std::optional<LoraOptions> low_rank_ = {};
  at::Tensor down_;  // undefined without
  at::Tensor up_;
  Layer* out_proj_ = nullptr;
  bool has_memory_ = false;
  double memory_length_ = 0;
};

}  // namespace

const Schema<MultiheadAttentionOptions>& MultiheadAttentionOptions::schema() {
  using O = MultiheadAttentionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::heads, "heads", "Parts the width is split into, each attending alone.",
                 required(), at_least(1))
          .field(&O::dropout, "dropout", "Share of attention weights dropped while training.",
                 at_least(0), below(1))
          .field(&O::bias, "bias", "Add learned biases.")
          .field(&O::causal, "causal", "A place sees itself and what is before it, nothing after.");
  return fields;
}

Choice<Layer> multihead_attention(MultiheadAttentionOptions options) {
  return choose<Layer>("multihead_attention", options);
}

void register_multihead_attention(Registry<Layer>& layers) {
  layers.add<MultiheadAttention>(
      "multihead_attention",
      "PyTorch's attention with several heads: of a sequence [T, D] to itself or, as a second "
      "input, to another [S, D]; a mask [S] may follow, 0 where nothing is to be seen.");
}

}  // namespace hearth::layers
