// Gives every value of the data side a place: a row of the batch when it leaves, scratch otherwise.
#include "hearth/data/data_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr int64_t kScratchAlignment = 64;

// "data.ops[0] normalize" -> "normalize".
std::string data_op_name(const GraphNode& node) {
  return node.name.substr(node.name.find_last_of(' ') + 1);
}

// A number for each sample op. It comes from the op's name and keys, not from its position, so that
// adding another op leaves the draws of the rest as they are. Ops alike are told apart by counting.
std::vector<uint16_t> number_ops(const std::vector<GraphNode>& nodes) {
  std::vector<uint16_t> numbers(nodes.size());
  std::map<std::string, int> alike;
  std::set<uint16_t> taken;
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].place != Place::kSample) continue;
    std::string identity = data_op_name(nodes[n]) + " " + join(nodes[n].writes, ",");
    if (const int count = alike[identity]++; count > 0) identity += " " + std::to_string(count);
    uint16_t number = op_number(identity);
    while (!taken.insert(number).second)
      number = static_cast<uint16_t>((number + 1) % kFirstReservedOp);
    numbers[n] = number;
  }
  return numbers;
}

bool is_batch_value(const PlanValue& value) {
  return value.crosses_to_network || value.is_recorded;
}

class DataPlanner {
 public:
  DataPlanner(const Plan& plan, const std::vector<GraphNode>& nodes,
              std::shared_ptr<const Source> source,
              std::vector<std::shared_ptr<const SampleOp>> ops)
      : plan_(plan), nodes_(nodes), ops_(std::move(ops)), places_(plan.values.size()) {
    result_.source = std::move(source);
    result_.field_of_slot.assign(plan.values.size(), -1);
  }

  DataPlan make() {
    find_last_reads();
    share_in_place();
    place_values();
    const std::vector<uint16_t> numbers = number_ops(nodes_);
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      const GraphNode& node = nodes_[plan_.steps[s].node];
      if (node.place == Place::kSource) add_source(plan_.steps[s]);
      if (node.place == Place::kSample) add_step(s, numbers[plan_.steps[s].node]);
    }
    if (result_.source_keys.empty()) result_.source_keys.resize(result_.source->keys().size());
    return std::move(result_);
  }

 private:
  [[nodiscard]] const GraphNode& node_of(size_t step) const {
    return nodes_[plan_.steps[step].node];
  }
  [[nodiscard]] bool is_op(size_t step) const { return node_of(step).place == Place::kSample; }
  [[nodiscard]] const SampleOp& op_of(size_t step) const {
    const size_t node = plan_.steps[step].node;
    if (node >= ops_.size() || ops_[node] == nullptr)
      throw InternalError("data plan: node " + quote(nodes_[node].name) + " came without its op.");
    return *ops_[node];
  }

  void find_last_reads() {
    last_read_.assign(plan_.values.size(), -1);
    for (size_t s = 0; s < plan_.steps.size(); ++s)
      for (const int slot : plan_.steps[s].inputs)
        last_read_[static_cast<size_t>(slot)] = static_cast<int>(s);
  }

  // Whether output k of an in-place step may lie where its input k lies.
  [[nodiscard]] bool can_share(size_t step, size_t k) const {
    const PlanStep& work = plan_.steps[step];
    if (k >= work.inputs.size() || k >= work.outputs.size() || work.outputs[k] < 0) return false;
    const PlanValue& input = plan_.values[static_cast<size_t>(work.inputs[k])];
    const PlanValue& output = plan_.values[static_cast<size_t>(work.outputs[k])];
    const auto reads = std::count(work.inputs.begin(), work.inputs.end(), work.inputs[k]);
    return last_read_[static_cast<size_t>(work.inputs[k])] == static_cast<int>(step) &&
           reads == 1 && !is_batch_value(input) && input.spec.bytes() == output.spec.bytes();
  }

  // home_[v] is the last value of the chain of in-place ops that v is at the start or middle of.
  void share_in_place() {
    home_.resize(plan_.values.size());
    for (size_t v = 0; v < home_.size(); ++v) home_[v] = v;
    for (size_t s = plan_.steps.size(); s-- > 0;) {
      if (!is_op(s) || !op_of(s).is_in_place()) continue;
      for (size_t k = 0; k < plan_.steps[s].inputs.size(); ++k)
        if (can_share(s, k))
          home_[static_cast<size_t>(plan_.steps[s].inputs[k])] =
              home_[static_cast<size_t>(plan_.steps[s].outputs[k])];
    }
  }

  void place_values() {
    for (const PlanStep& step : plan_.steps) {
      const Place place = nodes_[step.node].place;
      if (place != Place::kSource && place != Place::kSample) continue;
      for (const int slot : step.outputs)
        if (slot >= 0) place_value(static_cast<size_t>(slot));
    }
  }

  void place_value(size_t value) {
    ValuePlace& home = places_[home_[value]];
    if (home.is_nowhere()) home = new_place(home_[value]);
    places_[value] = home;
  }

  ValuePlace new_place(size_t value) {
    const PlanValue& facts = plan_.values[value];
    if (!is_batch_value(facts)) return scratch(facts.spec.bytes());
    const int field = static_cast<int>(result_.fields.size());
    result_.fields.push_back({facts.key, facts.spec, facts.spec.bytes()});
    result_.field_of_slot[value] = field;
    return {.field = field, .scratch_offset = -1};
  }

  ValuePlace scratch(int64_t bytes) {
    const int64_t offset = result_.scratch_bytes;
    result_.scratch_bytes +=
        (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
    return {.field = -1, .scratch_offset = offset};
  }

  void add_source(const PlanStep& step) {
    if (!result_.source_keys.empty()) throw InternalError("data plan: two sources in one plan.");
    const std::vector<std::string>& writes = nodes_[step.node].writes;
    for (const KeySpec& key : result_.source->keys()) {
      const auto at = std::find(writes.begin(), writes.end(), key.key) - writes.begin();
      const auto k = static_cast<size_t>(at);
      const int slot = k < step.outputs.size() ? step.outputs[k] : -1;
      result_.source_keys.push_back(slot < 0 ? ValuePlace{} : places_[static_cast<size_t>(slot)]);
    }
  }

  void add_step(size_t s, uint16_t number) {
    const PlanStep& work = plan_.steps[s];
    DataStep step{.name = data_op_name(node_of(s)), .op_number = number, .op = nullptr};
    const bool is_in_place = op_of(s).is_in_place();
    step.op = ops_[work.node];
    for (const int slot : work.inputs) step.inputs.push_back(input(slot, step.name));
    for (size_t k = 0; k < work.outputs.size(); ++k) {
      step.outputs.push_back(output(work, k));
      if (is_in_place) add_copy(step, k);
    }
    result_.steps.push_back(std::move(step));
  }

  [[nodiscard]] DataStep::Operand input(int slot, const std::string& op) const {
    const auto value = static_cast<size_t>(slot);
    if (places_[value].is_nowhere())
      throw InternalError("data plan: op " + quote(op) + " reads " +
                          quote(plan_.values[value].key) + ", which the data side does not make.");
    return {plan_.values[value].spec, places_[value]};
  }

  // An op writes all its outputs; those that nobody needs go to scratch memory.
  [[nodiscard]] DataStep::Operand output(const PlanStep& work, size_t k) {
    if (work.outputs[k] >= 0) {
      const auto value = static_cast<size_t>(work.outputs[k]);
      return {plan_.values[value].spec, places_[value]};
    }
    std::vector<Spec> inputs;
    for (const int slot : work.inputs)
      inputs.push_back(plan_.values[static_cast<size_t>(slot)].spec);
    Spec spec = ops_[work.node]->infer(inputs).at(k);
    const ValuePlace place = scratch(spec.bytes());
    return {std::move(spec), place};
  }

  static void add_copy(DataStep& step, size_t k) {
    if (k >= step.inputs.size()) return;
    const ValuePlace& from = step.inputs[k].place;
    const ValuePlace& to = step.outputs[k].place;
    if (from.field == to.field && from.scratch_offset == to.scratch_offset) return;
    const int64_t bytes = step.inputs[k].spec.bytes();
    if (bytes != step.outputs[k].spec.bytes())
      throw InternalError("data plan: op " + quote(step.name) +
                          " works in place but changes the size of its value.");
    step.copies.push_back({.operand = k, .bytes = bytes});
  }

  const Plan& plan_;
  const std::vector<GraphNode>& nodes_;
  std::vector<std::shared_ptr<const SampleOp>> ops_;
  std::vector<int> last_read_;
  std::vector<size_t> home_;
  std::vector<ValuePlace> places_;
  DataPlan result_;
};

}  // namespace

DataPlan make_data_plan(const Plan& plan, const std::vector<GraphNode>& nodes,
                        std::shared_ptr<const Source> source,
                        std::vector<std::shared_ptr<const SampleOp>> ops_by_node) {
  return DataPlanner(plan, nodes, std::move(source), std::move(ops_by_node)).make();
}

}  // namespace hearth
