// A layer with a low-rank part beside it.
#include "hearth/nn/layers/composition/lora.h"

#include <ATen/ops/full.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/dropout/dropout.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Lora : public Layer {
 public:
  using Options = LoraOptions;
  explicit Lora(LoraOptions options) : options_(std::move(options)) {}

  [[nodiscard]] double work() const override {
    const Spec& input = input_spec();
    const auto rows = static_cast<double>(input.elements() / input.shape.back());
    return rows * static_cast<double>(down_.numel() + up_.numel());
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_float32(context, "lora", input);
    inner_ = add_child("", wrapped_layer(context, "lora", options_.layer), input, context);
    const Spec& output = inner_->output_spec();
    if (input.shape.empty() || output.shape.size() != input.shape.size() ||
        inner_->choice().name() != "linear")
      throw_input_error(context, "lora",
                        "a linear layer inside, but it is " + inner_->choice().name(), input,
                        "Say `only: linear` in the edit, or a pattern of linear layers alone.");
    const int64_t in = input.shape.back();
    const int64_t out = output.shape.back();
    // As PyTorch's PEFT: one half drawn, the other zero, so that at first nothing is added.
    down_ = add_parameter("lora_a", fan_in_uniform(context, "lora_a", {options_.rank, in}, in));
    up_ = add_parameter("lora_b", filled(context, "lora_b", {out, options_.rank}, 0));
    // Saved, so that a file alone says what to add to the weight.
    (void)add_buffer("lora_scale", at::full({}, scale(), at::kFloat));
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor kept = is_training() && options_.dropout > 0
                                ? drop_values(kernels(), input, options_.dropout)
                                : input;
    const at::Tensor low = linear_product(kernels(), kept, down_, {}).mul(scale());
    return linear_product(kernels(), low, up_, {}, (*inner_)(input));
  }

 private:
  [[nodiscard]] double scale() const { return options_.alpha / static_cast<double>(options_.rank); }

  LoraOptions options_;
  Layer* inner_ = nullptr;
  at::Tensor down_;
  at::Tensor up_;
};

}  // namespace

const Schema<LoraOptions>& LoraOptions::schema() {
  using O = LoraOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layer, "layer", "The linear layer that it adds to; the edit `wrap` gives it.")
          .field(&O::rank, "rank", "Values between the two small matrices.", at_least(1))
          .field(&O::alpha, "alpha", "What is added counts alpha / rank.")
          .field(&O::dropout, "dropout", "Share of its inputs dropped while training.", at_least(0),
                 below(1));
  return fields;
}

Choice<Layer> lora(LoraOptions options) { return choose<Layer>("lora", options); }

void register_lora(Registry<Layer>& layers) {
  layers.add<Lora>("lora",
                   "A linear layer with a product of two small matrices added (LoRA); at first "
                   "they add nothing.");
}

}  // namespace hearth::layers
