// The data side of an experiment as nodes of the graph.
#include "hearth/pipeline/data_nodes.h"

#include <algorithm>

namespace hearth {
namespace {

template <class Op>
GraphNode node_of(GraphComponent<Op>& component, Place place, const Moment& moment, Mode mode) {
  const std::shared_ptr<const Op> op = component.at(moment);
  std::vector<std::string> drops;
  if constexpr (requires { op->drops(); }) drops = op->drops();
  return component.node(
      moment, mode,
      {.place = place,
       .reads = op->reads(),
       .writes = op->writes(),
       .drops = std::move(drops),
       .infer = [op](const std::vector<Spec>& inputs) { return op->infer(inputs); },
       .component = op});
}

}  // namespace

std::vector<std::string> keys_at_end(const std::vector<GraphNode>& nodes) {
  std::vector<std::string> keys;
  for (const GraphNode& node : nodes) {
    for (const std::string& key : node.drops) std::erase(keys, key);
    for (const std::string& key : node.writes)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

GraphNode source_node(std::string name, const std::vector<KeySpec>& keys, Modes modes,
                      const Mark& mark) {
  GraphNode node{.name = std::move(name), .place = Place::kSource, .modes = modes, .mark = mark};
  std::vector<Spec> specs;
  for (const KeySpec& key : keys) {
    node.writes.push_back(key.key);
    specs.push_back(key.spec);
  }
  node.infer = [specs](const std::vector<Spec>&) { return specs; };
  return node;
}

GraphNode data_node(GraphComponent<SampleOp>& component, const Moment& moment, Mode mode) {
  return node_of(component, Place::kSample, moment, mode);
}

GraphNode data_node(GraphComponent<BatchOp>& component, const Moment& moment, Mode mode) {
  return node_of(component, Place::kBatch, moment, mode);
}

}  // namespace hearth
