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

class Onlooker : public BatchOp {
 public:
  explicit Onlooker(std::vector<std::string> keys) : keys_(std::move(keys)) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return keys_; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>&) const override { return {}; }
  void run(Random&, std::span<const BatchView>, std::span<const BatchCell>) const override {}

 private:
  std::vector<std::string> keys_;
};

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

GraphNode onlooker_node(std::string name, std::vector<std::string> keys, const Mark& mark) {
  const std::shared_ptr<const BatchOp> op = std::make_shared<Onlooker>(std::move(keys));
  return {.name = std::move(name),
          .place = Place::kBatch,
          .reads = op->reads(),
          .has_effect = true,
          .mark = mark,
          .infer = [](const std::vector<Spec>&) { return std::vector<Spec>(); },
          .component = op};
}

GraphNode data_node(GraphComponent<SampleOp>& component, const Moment& moment, Mode mode) {
  return node_of(component, Place::kSample, moment, mode);
}

GraphNode data_node(GraphComponent<BatchOp>& component, const Moment& moment, Mode mode) {
  return node_of(component, Place::kBatch, moment, mode);
}

}  // namespace hearth
