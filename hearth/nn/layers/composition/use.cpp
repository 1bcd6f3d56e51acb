// A layer of the same graph, called again. The graph knows what to do with it; alone it means
// nothing.
#include "hearth/nn/layers/composition/use.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth::layers {
namespace {

class Use : public Layer {
 public:
  using Options = UseOptions;
  explicit Use(UseOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec&, const BuildContext& context) override {
    throw GraphError(context.path + " use: calls " + quote(options_.layer) +
                     " again, which only a node of a graph can. Put it in the nodes of a graph.");
  }

 private:
  UseOptions options_;
};

}  // namespace

const Schema<UseOptions>& UseOptions::schema() {
  using O = UseOptions;
  static const auto fields = Schema<O>().field(
      &O::layer, "layer", "Name of the layer, which comes before it in the same graph.", required(),
      not_empty());
  return fields;
}

Choice<Layer> use(UseOptions options) { return choose<Layer>("use", options); }

void register_use(Registry<Layer>& layers) {
  layers.add<Use>("use", "Calls a layer of the same graph again: both calls share its weights.");
}

}  // namespace hearth::layers
