// A layer of a transformer's encoder; children are named as in PyTorch's TransformerEncoderLayer.
#include "hearth/nn/blocks/transformer_encoder_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/transformer_parts.h"

namespace hearth::layers {
namespace {

class TransformerEncoderBlock : public Layer {
 public:
  using Options = TransformerEncoderBlockOptions;
  explicit TransformerEncoderBlock(TransformerEncoderBlockOptions options)
      : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "transformer_encoder_block", inputs.front());
    std::vector<std::string> further;
    if (inputs.size() > 1) further.emplace_back("mask");
    std::vector<std::string> names = {"input"};
    names.insert(names.end(), further.begin(), further.end());
    TransformerParts parts(transformer_form(options_, inputs.front().shape[1]), names);
    parts.add_attention("self_attn", options_.causal, further);
    parts.add_feed_forward();
    return parts.description();
  }

 private:
  TransformerEncoderBlockOptions options_;
};

}  // namespace

const Schema<TransformerEncoderBlockOptions>& TransformerEncoderBlockOptions::schema() {
  using O = TransformerEncoderBlockOptions;
  static const auto fields = transformer_fields<O>().field(
      &O::causal, "causal", "A place sees itself and what is before it, nothing after.");
  return fields;
}

Choice<Layer> transformer_encoder_block(TransformerEncoderBlockOptions options) {
  return choose<Layer>("transformer_encoder_block", options);
}

void register_transformer_encoder_block(Registry<Layer>& layers) {
  layers.add<TransformerEncoderBlock>(
      "transformer_encoder_block",
      "PyTorch's encoder layer over a sequence [T, D]: attention to itself and a small network; a "
      "mask [T], 0 where nothing is, may be a second input.");
}

}  // namespace hearth::layers
