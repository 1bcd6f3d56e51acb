// A network up to some of its layers.
#include "hearth/nn/backbone.h"

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/graph.h"

namespace hearth {
namespace {

// What a layer is made of, asked before it is built: a layer says so to itself alone.
class DescribedLayer : public Layer {
 public:
  static Description of(Layer& layer, std::span<const Spec> inputs, const BuildContext& context) {
    return (layer.*(&DescribedLayer::describe))(inputs, context);
  }
};

Description description_of(const Choice<Layer>& network, std::span<const Spec> inputs,
                           const BuildContext& context) {
  BuildContext own = context;
  if (own.classes == 0) own.classes = 1;  // of a head that is cut off
  const std::unique_ptr<Layer> layer = registry<Layer>().make(network);
  Description description = DescribedLayer::of(*layer, inputs, own);
  if (!description.is_empty()) return description;
  throw GraphError(context.path + ": " + quote(network.name()) +
                   " computes by itself, so that nothing between its layers can be taken. Use a "
                   "network that is made of layers, or one with several outputs and no levels.");
}

std::vector<std::string> outputs_of(const Description& description,
                                    const std::vector<std::string>& levels,
                                    const BuildContext& context) {
  std::vector<std::string> outputs;
  for (const std::string& level : levels) {
    const LayerNode* node = description.find(level);
    if (node == nullptr) {
      std::vector<std::string> names;
      for (const LayerNode& known : description.nodes) names.push_back(known.name);
      throw GraphError(context.path + ": the backbone has no layer " + quote(level) + "." +
                       did_you_mean(level, names));
    }
    outputs.insert(outputs.end(), node->out.begin(), node->out.end());
  }
  return outputs;
}

}  // namespace

Choice<Layer> backbone(const Choice<Layer>& network, const std::vector<std::string>& levels,
                       std::span<const Spec> inputs, const BuildContext& context) {
  if (levels.empty()) return network;
  const Description whole = description_of(network, inputs, context);
  layers::GraphOptions cut;
  cut.inputs = whole.inputs;
  cut.outputs = outputs_of(whole, levels, context);
  std::set<std::string> needed(cut.outputs.begin(), cut.outputs.end());
  for (auto node = whole.nodes.rbegin(); node != whole.nodes.rend(); ++node) {
    const bool is_needed =
        std::any_of(node->out.begin(), node->out.end(),
                    [&](const std::string& name) { return needed.contains(name); });
    if (!is_needed) continue;
    needed.insert(node->in.begin(), node->in.end());
    cut.nodes.push_back(wired(node->layer, node->in, node->out, node->name));
  }
  std::reverse(cut.nodes.begin(), cut.nodes.end());
  return layers::graph(cut);
}

}  // namespace hearth
