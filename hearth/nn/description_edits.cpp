// Changes of a description.
#include "hearth/nn/description_edits.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth {
namespace {

constexpr const char* kActivation = "activation";

}  // namespace

void rewire(Description& description, const std::string& from, const std::string& to,
            size_t except) {
  for (size_t i = 0; i < description.nodes.size(); ++i)
    if (i != except)
      std::replace(description.nodes[i].in.begin(), description.nodes[i].in.end(), from, to);
  std::replace(description.outputs.begin(), description.outputs.end(), from, to);
}

void insert_after(Description& description, size_t index, const std::string& name,
                  const Choice<Layer>& layer) {
  const LayerNode node = description.nodes[index];
  if (node.out.size() != 1)
    throw GraphError(quote(node.name) + " gives several values; a layer after it takes one.");
  rewire(description, node.out.front(), name, index);
  description.nodes.insert(description.nodes.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                           LayerNode{name, layer, node.out, {name}, {node.place.first, {}}});
}

bool has_shared_activation(const Choice<Layer>& layer) {
  const Node* given = layer.options().find(kActivation);
  if (given == nullptr || given->is_null()) return false;
  const Mark& mark = layer.options().mark();
  return registry<Layer>().schema(layer.name(), mark).find(kActivation) == nullptr;
}

void put_activations(Description& description) {
  for (size_t i = description.nodes.size(); i-- > 0;) {
    LayerNode& node = description.nodes[i];
    if (!has_shared_activation(node.layer)) continue;
    Node options = node.layer.options();
    const auto activation = TypeOf<Choice<Layer>>::read(*options.find(kActivation));
    options.erase(kActivation);
    node.layer = Choice<Layer>(node.layer.name(), std::move(options));
    insert_after(description, i, node.name + "_" + kActivation, activation);
  }
}

}  // namespace hearth
