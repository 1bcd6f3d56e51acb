// Layers one after another, named by their place: "0", "1", ...
#include "hearth/nn/layers/sequential.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth {
namespace {

class Sequential : public Layer {
 public:
  using Options = SequentialOptions;
  explicit Sequential(const SequentialOptions& options) {
    for (size_t i = 0; i < options.layers.size(); ++i) {
      layers_.emplace_back(std::to_string(i), options.layers[i]);
    }
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    return add_chain(layers_, input, context);
  }

  at::Tensor forward(const at::Tensor& input) override { return run_chain(input); }

 private:
  std::vector<std::pair<std::string, Choice<Layer>>> layers_;
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

}  // namespace hearth
