// Layers one after another, named by their place: "0", "1", ...
#include "hearth/nn/layers/composition/sequential.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth::layers {
namespace {

class Sequential : public Layer {
 public:
  using Options = SequentialOptions;
  explicit Sequential(SequentialOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec>, const BuildContext&) override {
    for (const Choice<Layer>& layer : options_.layers)
      refuse_options(layer, {"in", "out"},
                     "in a sequential a layer takes what the one before it gives. Use graph.");
    return described({}, options_.layers);
  }

 private:
  SequentialOptions options_;
};

}  // namespace

const Schema<SequentialOptions>& SequentialOptions::schema() {
  using O = SequentialOptions;
  static const auto fields = Schema<O>().field(
      &O::layers, "layers", "The layers, in the order they run.", required(), not_empty());
  return fields;
}

Choice<Layer> sequential(SequentialOptions options) { return choose<Layer>("sequential", options); }

void register_sequential(Registry<Layer>& layers) {
  layers.add<Sequential>("sequential", "Layers one after another.");
}

}  // namespace hearth::layers
