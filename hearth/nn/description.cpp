// A layer made of others, as data.
#include "hearth/nn/description.h"

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr const char* kInput = "input";

// Takes an option out of the layer's; nothing when it has none.
std::vector<std::string> taken(Node& options, const char* option) {
  const Node* value = options.find(option);
  if (value == nullptr) return {};
  std::vector<std::string> names = TypeOf<std::vector<std::string>>::read(*value);
  options.erase(option);
  return names;
}

LayerNode node_of(const Choice<Layer>& choice, size_t number) {
  Node options = choice.options();
  LayerNode node;
  const std::vector<std::string> name = taken(options, "name");
  node.name = name.empty() ? std::to_string(number) : name.front();
  node.in = taken(options, "in");
  node.out = taken(options, "out");
  if (node.out.empty()) node.out = {node.name};
  node.layer = Choice<Layer>(choice.name(), std::move(options));
  return node;
}

std::vector<std::string> unread(const Description& description) {
  std::set<std::string> read;
  for (const LayerNode& node : description.nodes) read.insert(node.in.begin(), node.in.end());
  std::vector<std::string> names;
  for (const LayerNode& node : description.nodes)
    std::copy_if(node.out.begin(), node.out.end(), std::back_inserter(names),
                 [&](const std::string& name) { return !read.contains(name); });
  return names;
}

Node texts(const std::vector<std::string>& names) {
  return TypeOf<std::vector<std::string>>::write(names);
}

}  // namespace

EditPlace EditPlace::inside() const {
  EditPlace inner = *this;
  if (!inner.wraps.empty()) inner.wraps.pop_back();
  return inner;
}

std::string LayerNode::used() const {
  if (layer.name() != "use") return "";
  const Node* of = layer.options().find("layer");
  return of == nullptr ? "" : of->text();
}

const LayerNode* Description::find(const std::string& name) const {
  for (const LayerNode& node : nodes)
    if (node.name == name) return &node;
  return nullptr;
}

Choice<Layer> named(const Choice<Layer>& layer, const std::string& name) {
  return layer.with("name", Node::scalar(name));
}

Choice<Layer> wired(const Choice<Layer>& layer, const std::vector<std::string>& in,
                    const std::vector<std::string>& out, const std::string& name) {
  Choice<Layer> node = layer;
  if (!name.empty()) node = named(node, name);
  if (!in.empty()) node = node.with("in", texts(in));
  if (!out.empty()) node = node.with("out", texts(out));
  return node;
}

Description described(const std::vector<std::string>& inputs,
                      const std::vector<Choice<Layer>>& nodes,
                      const std::vector<std::string>& outputs) {
  Description description;
  description.inputs = inputs.empty() ? std::vector<std::string>{kInput} : inputs;
  std::vector<std::string> before = description.inputs;
  for (const Choice<Layer>& choice : nodes) {
    LayerNode node = node_of(choice, description.nodes.size());
    if (node.in.empty()) node.in = before;
    before = node.out;
    description.nodes.push_back(std::move(node));
  }
  description.outputs = outputs.empty() ? unread(description) : outputs;
  return description;
}

void refuse_options(const Choice<Layer>& layer, const std::vector<std::string>& options,
                    const std::string& reason) {
  for (const Node::Entry& entry : layer.options().entries())
    if (std::find(options.begin(), options.end(), entry.key) != options.end())
      throw ConfigError(layer.name() + " says " + quote(entry.key) + ", but " + reason,
                        entry.mark.place());
}

Description chain(const NamedLayers& layers, int64_t classes) {
  Description description;
  description.inputs = {kInput};
  std::string before = kInput;
  for (const auto& [name, layer] : layers) {
    description.nodes.push_back({name, layer, {before}, {name}});
    before = name;
  }
  description.outputs = {before};
  description.classes = classes;
  return description;
}

}  // namespace hearth
