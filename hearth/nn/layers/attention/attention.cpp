// Attention of a sequence to itself or to another one: projections around dot_product_attention.
#include "hearth/nn/layers/attention/attention.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/attention_options.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/attention/dot_product_attention.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Attention : public Layer {
 public:
  using Options = AttentionOptions;
  explicit Attention(AttentionOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& input = inputs.front();
    require_sequence(context, "attention", input);
    const int64_t width = input.shape[1];
    if (width % options_.heads != 0)
      throw_input_error(context, "attention",
                        "a width that " + std::to_string(options_.heads) + " heads share evenly",
                        input, "Change heads or the width.");
    if (options_.cross && inputs.size() < 2)
      throw GraphError(context.path +
                       " attention: looks at a second sequence, but has one input. Name both in "
                       "`in`, or leave out cross.");
    std::vector<std::string> names = {"input"};
    if (options_.cross) names.emplace_back("seen");
    const std::string seen = names.back();
    std::vector<std::string> looks = {"q_proj", "k_proj", "v_proj"};
    while (names.size() < inputs.size()) {
      names.push_back("further_" + std::to_string(names.size()));
      looks.push_back(names.back());
    }
    const int64_t pair = width / options_.heads * options_.key_value_heads.value_or(options_.heads);
    return described(
        names, {wired(projection(width), {"input"}, {}, "q_proj"),
                wired(projection(pair), {seen}, {}, "k_proj"),
                wired(projection(pair), {seen}, {}, "v_proj"), wired(heads(), looks, {}, "heads"),
                wired(projection(width), {"heads"}, {}, "out_proj")});
  }

 private:
  [[nodiscard]] Choice<Layer> projection(int64_t width) const {
    return linear({.out_features = width, .bias = options_.bias});
  }

  [[nodiscard]] Choice<Layer> heads() const {
    return dot_product_attention({.heads = options_.heads,
                                  .key_value_heads = options_.key_value_heads,
                                  .causal = options_.causal,
                                  .window = options_.window,
                                  .rotary = options_.rotary,
                                  .rotary_base = options_.rotary_base,
                                  .alibi = options_.alibi,
                                  .dropout = options_.dropout});
  }

  AttentionOptions options_;
};

}  // namespace

const Schema<AttentionOptions>& AttentionOptions::schema() {
  using O = AttentionOptions;
  static const auto fields =
      attention_fields<O>()
          .field(&O::cross, "cross", "Look at a second sequence instead of itself.")
          .field(&O::bias, "bias", "Add learned biases.");
  return fields;
}

Choice<Layer> attention(AttentionOptions options) { return choose<Layer>("attention", options); }

void register_attention(Registry<Layer>& layers) {
  layers.add<Attention>("attention",
                        "Attention of a sequence [T, D] to itself or, with cross, to a second one "
                        "[S, E]. A mask [S], 0 "
                        "where nothing is to be seen, and scores to add, [T, S], may follow.");
}

}  // namespace hearth::layers
