// Which steps can be fused is a question of the plan; whether ops can be, the ops answer.
#include "hearth/data/step_fusion.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "hearth/data/sample_op.h"

namespace hearth {

namespace {

std::string last_word(const std::string& name) { return name.substr(name.find_last_of(' ') + 1); }

class Fuser {
 public:
  Fuser(FusedGraph& graph, Fusion fusion)
      : steps_(graph.plan.steps), graph_(graph), fixed_end_(fixed_end(fusion)) {}

  void run() {
    for (size_t second = 0; second < steps_.size();)
      if (!fuse_before(second)) ++second;
  }

 private:
  [[nodiscard]] std::shared_ptr<const SampleOp> op_of(size_t step) const {
    const auto* op =
        std::any_cast<std::shared_ptr<const SampleOp>>(&graph_.nodes[steps_[step].node].component);
    return op == nullptr ? nullptr : *op;
  }

  // The node before which all may be fused: the first that ends the fixed part, if it matters.
  [[nodiscard]] size_t fixed_end(Fusion fusion) const {
    if (fusion == Fusion::kAllowed) return graph_.nodes.size();
    for (size_t step = 0; step < steps_.size(); ++step) {
      const auto op = op_of(step);
      const size_t node = steps_[step].node;
      if (op && (op->is_random() || graph_.nodes[node].changes_with_time)) return node;
    }
    return graph_.nodes.size();
  }

  // The step that makes the first input of `second`, for it alone.
  [[nodiscard]] std::optional<size_t> maker_for(size_t second) const {
    const int value = steps_[second].inputs.empty() ? -1 : steps_[second].inputs[0];
    if (value < 0 || !is_only_between(value)) return std::nullopt;
    for (size_t first = 0; first < second; ++first)
      if (steps_[first].outputs == std::vector<int>{value}) return first;
    return std::nullopt;
  }

  [[nodiscard]] bool is_only_between(int index) const {
    const PlanValue& value = graph_.plan.values[static_cast<size_t>(index)];
    if (value.crosses_to_network || value.is_recorded || value.crosses_to_batch) return false;
    int64_t reads = 0;
    for (const PlanStep& step : steps_)
      reads += std::count(step.inputs.begin(), step.inputs.end(), index);
    const auto& fetches = graph_.plan.fetches;
    return reads == 1 && std::find(fetches.begin(), fetches.end(), index) == fetches.end();
  }

  bool fuse_before(size_t second) {
    const auto op = op_of(second);
    const auto first = op ? maker_for(second) : std::nullopt;
    const auto before = first ? op_of(*first) : nullptr;
    const auto fused = before ? op->fused_after(before) : nullptr;
    if (!fused) return false;
    if (steps_[second].node >= fixed_end_ && !fused->differs_from_parts()) return false;
    GraphNode& node = graph_.nodes[steps_[second].node];
    const GraphNode& taken = graph_.nodes[steps_[*first].node];
    const size_t name = node.name.size() - last_word(node.name).size();
    node.name.insert(name, last_word(taken.name) + "+");
    node.component = fused;
    node.signature = taken.signature + node.signature;
    node.changes_with_time = node.changes_with_time || taken.changes_with_time;
    std::vector<int> inputs = steps_[*first].inputs;
    inputs.insert(inputs.end(), steps_[second].inputs.begin() + 1, steps_[second].inputs.end());
    steps_[second].inputs = std::move(inputs);
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(*first));
    return true;
  }

  std::vector<PlanStep>& steps_;
  FusedGraph& graph_;
  size_t fixed_end_;
};

}  // namespace

FusedGraph fuse_sample_ops(const Plan& plan, const std::vector<GraphNode>& nodes, Fusion fusion) {
  FusedGraph graph{plan, nodes};
  Fuser(graph, fusion).run();
  return graph;
}

}  // namespace hearth
