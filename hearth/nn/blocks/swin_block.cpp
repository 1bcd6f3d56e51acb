// The block of Swin transformers; children are named as in torchvision's SwinTransformerBlock.
#include "hearth/nn/blocks/swin_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/feed_forward.h"
#include "hearth/nn/layers/attention/window_attention.h"
#include "hearth/nn/layers/normalization/channel_norm.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/drop_path.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual_branch.h"

namespace hearth::layers {
namespace {

class SwinBlock : public Layer {
 public:
  using Options = SwinBlockOptions;
  explicit SwinBlock(SwinBlockOptions options) : options_(options) {}

 protected:
  // In torchvision's order, whichever of norm and layer comes first.
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "swin_block", input);
    const int64_t channels = input.shape[0];
    Spec rows;
    rows.shape = {input.shape[1] * input.shape[2], channels};
    norm1_ = add_child("norm1", channel_norm(), input, context);
    attn_ = add_child("attn",
                      window_attention({.heads = options_.heads,
                                        .window = options_.window,
                                        .shift = options_.shift,
                                        .cosine = options_.version == 2}),
                      input, context);
    if (options_.drop_path > 0)
      drop_ = add_child("stochastic_depth", drop_path({.p = options_.drop_path}), input, context);
    norm2_ = add_child("norm2", layer_norm(), rows, context);
    mlp_ = add_child("mlp",
                     feed_forward({.hidden = options_.hidden_factor * channels,
                                   .out = channels,
                                   .dropout = options_.dropout}),
                     rows, context);
    return attn_->output_spec();
  }

  // Attention is on the image, the small network on its points as a sequence: of a channels-last
  // image nothing is copied for that.
  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor image = changed(input, *norm1_, *attn_);
    const at::Tensor rows = changed(image.flatten(2).transpose(1, 2), *norm2_, *mlp_);
    const std::vector<int64_t> points = {input.size(0), input.size(2), input.size(3),
                                         input.size(1)};
    return rows.reshape(points).permute({0, 3, 1, 2});
  }

 private:
  // The value with what the layer adds to it; the second version has the norm behind the layer.
  [[nodiscard]] at::Tensor changed(const at::Tensor& value, Layer& norm, Layer& layer) const {
    const bool is_first = options_.version == 1;
    if (is_first && drop_ == nullptr) return layer(norm(value), {.addend = value});
    at::Tensor change = is_first ? layer(norm(value)) : norm(layer(value));
    if (drop_ != nullptr) change = (*drop_)(change);
    return value.add(change);
  }

  SwinBlockOptions options_;
  Layer* norm1_ = nullptr;
  Layer* attn_ = nullptr;
  Layer* drop_ = nullptr;  // null when no sample is dropped
  Layer* norm2_ = nullptr;
  Layer* mlp_ = nullptr;
};

}  // namespace

const Schema<SwinBlockOptions>& SwinBlockOptions::schema() {
  using O = SwinBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::heads, "heads", "Heads of the attention; they share the channels evenly.",
                 required(), at_least(1))
          .field(&O::window, "window", "Side of a window of the attention.", at_least(2))
          .field(&O::shift, "shift", "Points the windows are moved.", at_least(0))
          .field(&O::hidden_factor, "hidden_factor",
                 "How many times more values than channels the small network's hidden layer has.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of the small network's values dropped in training.",
                 at_least(0), below(1))
          .field(&O::drop_path, "drop_path", kDropPathHelp, at_least(0), below(1))
          .field(&O::version, "version",
                 "1, or 2 with norms behind the layers and attention by cosines.", at_least(1),
                 at_most(2))
          .check("shift must be below window.",
                 [](const O& options) { return options.shift < options.window; });
  return fields;
}

Choice<Layer> swin_block(SwinBlockOptions options) { return choose<Layer>("swin_block", options); }

void register_swin_block(Registry<Layer>& layers) {
  layers.add<SwinBlock>("swin_block",
                        "Attention in the windows of an image [C, H, W] and a small network for "
                        "each point, each added to its input: the block of Swin transformers.");
}

}  // namespace hearth::layers
