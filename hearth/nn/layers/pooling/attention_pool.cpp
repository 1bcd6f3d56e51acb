// A mean over places, weighted by scores that are learned.
#include "hearth/nn/layers/pooling/attention_pool.h"

#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>
#include <limits>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class AttentionPool : public Layer {
 public:
  using Options = AttentionPoolOptions;
  explicit AttentionPool(AttentionPoolOptions options) : options_(options) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    Spec places = inputs.front();
    is_image_ = places.shape.size() == 3;
    if (is_image_) {
      require_image(context, "attention_pool", places);
      places.shape = {places.shape[1] * places.shape[2], places.shape[0]};
    } else {
      require_sequence(context, "attention_pool", places);
    }
    if (inputs.size() > 1) require_mask(context, "attention_pool", places, inputs.subspan(1));
    Spec features = places;
    if (options_.hidden) {
      hidden_ = add_child("hidden", linear({.out_features = options_.hidden}), places, context);
      features = hidden_->output_spec();
    }
    score_ = add_child("score", linear({.out_features = 1, .bias = false}), features, context);
    Spec output;
    output.shape = {places.shape[1]};
    return {output};
  }

  // A sequence with nothing in it gives zeros.
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const at::Tensor places =
        is_image_ ? inputs[0].flatten(2).transpose(1, 2).contiguous() : inputs[0];
    at::Tensor scores = (*score_)(hidden_ == nullptr ? places : at::tanh((*hidden_)(places)));
    if (inputs.size() < 2 || !inputs[1].defined()) {
      outputs[0] = at::softmax(scores, 1).mul(places).sum(1);
      return;
    }
    const at::Tensor is_gone = inputs[1].eq(0).unsqueeze(2);
    scores = scores.masked_fill(is_gone, std::numeric_limits<float>::lowest());
    outputs[0] = at::softmax(scores, 1).masked_fill(is_gone, 0).mul(places).sum(1);
  }

 private:
  AttentionPoolOptions options_;
  bool is_image_ = false;
  Layer* hidden_ = nullptr;
  Layer* score_ = nullptr;
};

}  // namespace

const Schema<AttentionPoolOptions>& AttentionPoolOptions::schema() {
  using O = AttentionPoolOptions;
  static const auto fields = Schema<O>().field(
      &O::hidden, "hidden", "Values of a layer with tanh before the scores; none when left out.",
      at_least(1));
  return fields;
}

Choice<Layer> attention_pool(AttentionPoolOptions options) {
  return choose<Layer>("attention_pool", options);
}

void register_attention_pool(Registry<Layer>& layers) {
  layers.add<AttentionPool>(
      "attention_pool",
      "A mean over the places of a sequence [T, D] or an image [C, H, W], weighted by learned "
      "scores: [D] or [C]; with a mask [T] as a second input, of the places where it is not 0.");
}

}  // namespace hearth::layers
