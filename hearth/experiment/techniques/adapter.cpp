// Fine-tuning by small networks after layers.
#include "hearth/experiment/techniques/adapter.h"

#include "hearth/config/registry.h"
#include "hearth/experiment/rewrite.h"
#include "hearth/experiment/wrap_technique.h"

namespace hearth::techniques {
namespace {

class Adapter : public Technique {
 public:
  using Options = AdapterOptions;
  explicit Adapter(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    return with_wrapped_layers(
        config,
        {.model = options_.model,
         .layers = options_.layers,
         .with = component("adapter", {{"size", Node::scalar(std::to_string(options_.size))}}),
         .own = {"*adapter_down", "*adapter_down_bias", "*adapter_up", "*adapter_up_bias"},
         .also = options_.also_train});
  }

 private:
  Options options_;
};

}  // namespace

const Schema<AdapterOptions>& AdapterOptions::schema() {
  using O = AdapterOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::layers, "layers",
                 "Layers by path or pattern, such as h.*.mlp, that give features or sequences.",
                 required(), not_empty())
          .field(&O::size, "size", "Values in the middle of each small network.", at_least(1))
          .field(&O::also_train, "also_train",
                 "Other parameters that learn, by name or pattern, such as lm_head.*.")
          .field(&O::model, "model", "Which model. Left out: the only one that is trained.",
                 not_empty());
  return schema;
}

Choice<Technique> adapter(AdapterOptions options) { return choose<Technique>("adapter", options); }

void register_adapter(Registry<Technique>& registry) {
  registry.add<Adapter>("adapter",
                        "Freezes a model and learns narrow networks after some of its layers.");
}

}  // namespace hearth::techniques
