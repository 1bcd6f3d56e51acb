// Fine-tuning by low-rank parts beside linear layers.
#include "hearth/experiment/techniques/lora.h"

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/rewrite.h"
#include "hearth/experiment/wrap_technique.h"

namespace hearth::techniques {
namespace {

class Lora : public Technique {
 public:
  using Options = LoraOptions;
  explicit Lora(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    std::vector<std::pair<std::string, Node>> layer = {
        {"rank", Node::scalar(std::to_string(options_.rank))},
        {"alpha", Node::scalar(shortest_number(options_.alpha))}};
    if (options_.dropout > 0)
      layer.emplace_back("dropout", Node::scalar(shortest_number(options_.dropout)));
    return with_wrapped_layers(config, {.model = options_.model,
                                        .layers = options_.layers,
                                        .only = "linear",
                                        .with = component("lora", layer),
                                        .own = {"*lora_a", "*lora_b", "*lora_scale"},
                                        .also = options_.also_train});
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LoraOptions>& LoraOptions::schema() {
  using O = LoraOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::layers, "layers",
                 "Linear layers by path or pattern, such as h.*.attn.c_attn; * for all. The packed "
                 "in_proj of multihead_attention counts as one.",
                 not_empty())
          .field(&O::rank, "rank", "Values between the two small matrices of a layer.", at_least(1))
          .field(&O::alpha, "alpha", "What they add counts alpha / rank.")
          .field(&O::dropout, "dropout", "Share of their inputs dropped while training.",
                 at_least(0), below(1))
          .field(&O::also_train, "also_train",
                 "Other parameters that learn, by name or pattern, such as lm_head.*.")
          .field(&O::model, "model", "Which model. Left out: the only one that is trained.",
                 not_empty());
  return schema;
}

Choice<Technique> lora(LoraOptions options) { return choose<Technique>("lora", options); }

void register_lora(Registry<Technique>& registry) {
  registry.add<Lora>("lora",
                     "Freezes a model and learns small matrices beside its linear layers; `hearth "
                     "weights merge` adds them to the weights.");
}

}  // namespace hearth::techniques
