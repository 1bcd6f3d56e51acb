// What a vision transformer does with its sequence; children are named as in torchvision's Encoder.
#include "hearth/nn/blocks/vit_encoder.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/vit_block.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kPositionDeviation = 0.02;

class VitEncoder : public Layer {
 public:
  using Options = VitEncoderOptions;
  explicit VitEncoder(VitEncoderOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_sequence(context, "vit_encoder", input);
    const std::vector<int64_t> shape = {1, input.shape[0], input.shape[1]};
    pos_embedding_ =
        add_parameter("pos_embedding", normal(context, "pos_embedding", shape, kPositionDeviation));
    if (options_.dropout > 0)
      dropout_ = add_child("dropout", dropout({options_.dropout}), input, context);
    layers_ = add_child("layers", sequential(blocks()), input, context);
    ln_ = add_child("ln", layer_norm({.eps = 1e-6}), layers_->output_spec(), context);
    return ln_->output_spec();
  }

  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor value = input.add(pos_embedding_);
    if (dropout_ != nullptr) value = (*dropout_)(value);
    return (*ln_)((*layers_)(value));
  }

 private:
  [[nodiscard]] SequentialOptions blocks() const {
    VitBlockOptions block{.heads = options_.heads,
                          .hidden = options_.hidden,
                          .dropout = options_.dropout,
                          .attention_dropout = options_.attention_dropout};
    SequentialOptions all;
    for (int64_t i = 0; i < options_.layers; ++i) {
      block.only_first = options_.only_first && i + 1 == options_.layers;
      all.layers.push_back(named(vit_block(block), "encoder_layer_" + std::to_string(i)));
    }
    return all;
  }

  VitEncoderOptions options_;
  at::Tensor pos_embedding_;
  Layer* dropout_ = nullptr;  // null without dropout
  Layer* layers_ = nullptr;
  Layer* ln_ = nullptr;
};

}  // namespace

const Schema<VitEncoderOptions>& VitEncoderOptions::schema() {
  using O = VitEncoderOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layers, "layers", "Blocks one after another.", required(), layer_count())
          .field(&O::heads, "heads", "Heads of the attention; they share the width evenly.",
                 required(), at_least(1))
          .field(&O::hidden, "hidden", "Values of the hidden layer in a block's small network.",
                 required(), at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::attention_dropout, "attention_dropout",
                 "Share of attention weights dropped while training.", at_least(0), below(1))
          .field(&O::only_first, "only_first",
                 "Only the first place comes out, [1, D]: the last block computes no other.");
  return fields;
}

Choice<Layer> vit_encoder(VitEncoderOptions options) {
  return choose<Layer>("vit_encoder", options);
}

void register_vit_encoder(Registry<Layer>& layers) {
  layers.add<VitEncoder>("vit_encoder",
                         "Learned positions added to a sequence [T, D], then blocks of a vision "
                         "transformer and a layer norm.");
}

}  // namespace hearth::layers
