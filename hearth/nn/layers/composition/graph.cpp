// Layers over names: branches, skips, shared weights, several inputs and outputs.
#include "hearth/nn/layers/composition/graph.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth::layers {
namespace {

class Graph : public Layer {
 public:
  using Options = GraphOptions;
  explicit Graph(GraphOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec>, const BuildContext&) override {
    return described(options_.inputs, options_.nodes, options_.outputs);
  }

 private:
  GraphOptions options_;
};

}  // namespace

const Schema<GraphOptions>& GraphOptions::schema() {
  using O = GraphOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::nodes, "nodes",
                 "The layers in the order they run. Each may say its name, the values it reads "
                 "(`in`; what came before when left out) and what it gives is called (`out`).",
                 required(), not_empty())
          .field(&O::inputs, "inputs", "Names of what goes in.", not_empty())
          .field(&O::outputs, "outputs",
                 "Names of what comes out; what nobody reads when left out.");
  return fields;
}

Choice<Layer> graph(GraphOptions options) { return choose<Layer>("graph", options); }

void register_graph(Registry<Layer>& layers) {
  layers.add<Graph>("graph", "Layers over named values: branches, skips, shared weights.");
}

}  // namespace hearth::layers
