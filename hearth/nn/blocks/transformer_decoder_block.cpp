// A layer of a transformer's decoder; children are named as in PyTorch's TransformerDecoderLayer.
#include "hearth/nn/blocks/transformer_decoder_block.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/transformer_parts.h"

namespace hearth::layers {
namespace {

class TransformerDecoderBlock : public Layer {
 public:
  using Options = TransformerDecoderBlockOptions;
  explicit TransformerDecoderBlock(TransformerDecoderBlockOptions options)
      : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "transformer_decoder_block", inputs.front());
    if (inputs.size() < 2 || inputs.size() > 4)
      throw GraphError(context.path +
                       " transformer_decoder_block: takes a sequence, the one it looks at, and "
                       "perhaps a mask for that one and one for the sequence itself, but got " +
                       std::to_string(inputs.size()) + " inputs. Name them in `in`.");
    std::vector<std::string> names = {"input", "memory", "memory_mask", "mask"};
    names.resize(inputs.size());
    TransformerParts parts(transformer_form(options_, inputs.front().shape[1]), names);
    std::vector<std::string> own_mask;
    if (names.size() > 3) own_mask = {names[3]};
    parts.add_attention("self_attn", options_.causal, own_mask);
    std::vector<std::string> seen = {names.begin() + 1, names.end()};
    seen.resize(std::min<size_t>(seen.size(), 2));
    parts.add_attention("multihead_attn", false, seen);
    parts.add_feed_forward();
    return parts.description();
  }

 private:
  TransformerDecoderBlockOptions options_;
};

}  // namespace

const Schema<TransformerDecoderBlockOptions>& TransformerDecoderBlockOptions::schema() {
  using O = TransformerDecoderBlockOptions;
  static const auto fields = transformer_fields<O>().field(
      &O::causal, "causal",
      "In the sequence itself, a place sees itself and what is before it, nothing after.");
  return fields;
}

Choice<Layer> transformer_decoder_block(TransformerDecoderBlockOptions options) {
  return choose<Layer>("transformer_decoder_block", options);
}

void register_transformer_decoder_block(Registry<Layer>& layers) {
  layers.add<TransformerDecoderBlock>(
      "transformer_decoder_block",
      "PyTorch's decoder layer: a sequence [T, D] looks at itself and at another one [S, D]; masks "
      "[S] and [T], 0 where nothing is, may follow.");
}

}  // namespace hearth::layers
