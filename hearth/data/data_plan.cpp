// Gives every value of the data side a place: a row of the batch when it leaves, scratch otherwise.
#include "hearth/data/data_plan.h"

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/op_numbers.h"

namespace hearth {

namespace {

constexpr int64_t kScratchAlignment = 64;

// "data.ops[0] normalize" -> "normalize".
std::string data_op_name(const GraphNode& node) {
  return node.name.substr(node.name.find_last_of(' ') + 1);
}

// "data.ops[1] decode+resize" -> "resize": whose draws a fused op has.
std::string drawing_name(const GraphNode& node) {
  return node.name.substr(node.name.find_last_of(" +") + 1);
}

std::vector<uint16_t> number_ops(const std::vector<GraphNode>& nodes) {
  std::vector<uint16_t> numbers(nodes.size());
  OpNumbers given;
  for (size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].place == Place::kSample || nodes[n].place == Place::kBatch)
      numbers[n] = given.next(drawing_name(nodes[n]), nodes[n].writes);
  return numbers;
}

// The op behind a node of the data side: one of the two.
struct DataOp {
  std::shared_ptr<const SampleOp> sample = nullptr;
  std::shared_ptr<const BatchOp> batch = nullptr;
};

// Whether others than data ops look at it.
bool leaves_data(const PlanValue& value) { return value.crosses_to_network || value.is_recorded; }

// Whether it must still be there when the whole batch is made.
bool stays_with_batch(const PlanValue& value) {
  return leaves_data(value) || value.crosses_to_batch || value.place == Place::kBatch;
}

bool have_same_size(const Spec& left, const Spec& right) {
  if (left.dtype != right.dtype) return false;
  if (left.is_ragged() || right.is_ragged()) return left.shape == right.shape;
  return left.bytes() == right.bytes();
}

Spec with_rows(const Spec& spec) {
  Spec whole = spec;
  whole.shape.insert(whole.shape.begin(), kAnyLength);
  return whole;
}

class DataPlanner {
 public:
  DataPlanner(const Plan& plan, const std::vector<GraphNode>& nodes,
              std::shared_ptr<const Source> source)
      : plan_(plan), nodes_(nodes), places_(plan.values.size()) {
    result_.source = std::move(source);
    result_.field_of_value.assign(plan.values.size(), -1);
  }

  DataPlan make() {
    find_last_reads();
    share_in_place();
    place_values();
    const std::vector<uint16_t> numbers = number_ops(nodes_);
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      const GraphNode& node = nodes_[plan_.steps[s].node];
      if (node.place == Place::kSource) add_source(plan_.steps[s]);
      if (is_op(s)) add_step(s, numbers[plan_.steps[s].node]);
    }
    for (const KeySpec& key : result_.source->keys()) result_.source_specs.push_back(key.spec);
    result_.source_keys.resize(result_.source_specs.size());
    find_fixed_part();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const GraphNode& node_of(size_t step) const {
    return nodes_[plan_.steps[step].node];
  }
  [[nodiscard]] bool is_op(size_t step) const {
    const Place place = node_of(step).place;
    return place == Place::kSample || place == Place::kBatch;
  }
  [[nodiscard]] DataOp op_of(size_t step) const {
    const GraphNode& node = node_of(step);
    DataOp op;
    if (const auto* sample = std::any_cast<std::shared_ptr<const SampleOp>>(&node.component))
      op.sample = *sample;
    if (const auto* batch = std::any_cast<std::shared_ptr<const BatchOp>>(&node.component))
      op.batch = *batch;
    if (!op.sample && !op.batch)
      throw InternalError("data plan: node " + quote(node.name) + " came without its op.");
    return op;
  }
  [[nodiscard]] bool is_in_place(size_t step) const {
    const DataOp op = op_of(step);
    return op.sample ? op.sample->is_in_place() : op.batch->is_in_place();
  }

  void find_last_reads() {
    last_read_.assign(plan_.values.size(), -1);
    for (size_t s = 0; s < plan_.steps.size(); ++s)
      for (const int index : plan_.steps[s].inputs)
        last_read_[static_cast<size_t>(index)] = static_cast<int>(s);
  }

  // Whether output k of an in-place step may lie where its input k lies.
  [[nodiscard]] bool can_share(size_t step, size_t k) const {
    const PlanStep& work = plan_.steps[step];
    if (k >= work.inputs.size() || k >= work.outputs.size() || work.outputs[k] < 0) return false;
    const PlanValue& input = plan_.values[static_cast<size_t>(work.inputs[k])];
    const PlanValue& output = plan_.values[static_cast<size_t>(work.outputs[k])];
    const auto reads = std::count(work.inputs.begin(), work.inputs.end(), work.inputs[k]);
    return last_read_[static_cast<size_t>(work.inputs[k])] == static_cast<int>(step) &&
           reads == 1 && !leaves_data(input) && have_same_size(input.spec, output.spec) &&
           !(input.spec.is_ragged() && output.place == Place::kBatch);
  }

  // home_[v] is the last value of the chain of in-place ops that v is at the start or middle of.
  void share_in_place() {
    home_.resize(plan_.values.size());
    for (size_t v = 0; v < home_.size(); ++v) home_[v] = v;
    for (size_t s = plan_.steps.size(); s-- > 0;) {
      if (!is_op(s) || !is_in_place(s)) continue;
      for (size_t k = 0; k < plan_.steps[s].inputs.size(); ++k)
        if (can_share(s, k))
          home_[static_cast<size_t>(plan_.steps[s].inputs[k])] =
              home_[static_cast<size_t>(plan_.steps[s].outputs[k])];
    }
  }

  void place_values() {
    for (const PlanStep& step : plan_.steps) {
      const Place place = nodes_[step.node].place;
      if (place > Place::kBatch) continue;
      for (const int index : step.outputs)
        if (index >= 0) place_value(static_cast<size_t>(index));
    }
  }

  void place_value(size_t value) {
    ValuePlace& home = places_[home_[value]];
    if (home.is_nowhere()) home = new_place(home_[value]);
    places_[value] = home;
  }

  // Where a value lies that nobody shares memory with. Its chain of in-place ops may start with one
  // that stays with the batch, and end with this one.
  ValuePlace new_place(size_t value) {
    const PlanValue& facts = plan_.values[value];
    check_dimensions(facts);
    if (!stays_with_batch(facts))
      return facts.spec.is_ragged() ? ragged(result_.ragged_values) : scratch(facts.spec.bytes());
    ValuePlace place{ValuePlace::Kind::kRow, static_cast<int64_t>(result_.fields.size())};
    if (facts.spec.is_ragged())
      place = facts.place == Place::kBatch
                  ? ValuePlace{ValuePlace::Kind::kWhole, result_.whole_values++}
                  : ValuePlace{ValuePlace::Kind::kRaggedRow, result_.ragged_columns++};
    result_.field_of_value[value] = static_cast<int>(result_.fields.size());
    result_.fields.push_back(
        {facts.key, facts.spec, place, facts.spec.is_ragged() ? 0 : facts.spec.bytes()});
    return place;
  }

  static void check_dimensions(const PlanValue& value) {
    if (value.spec.is_ragged() && value.spec.shape.size() >= kMostDimensions)
      throw GraphError(quote(value.key) + " is " + value.spec.text() +
                       "; values whose size differs may have " +
                       std::to_string(kMostDimensions - 1) + " dimensions at most.");
  }

  static ValuePlace ragged(int64_t& count) { return {ValuePlace::Kind::kRagged, count++}; }

  ValuePlace scratch(int64_t bytes) {
    const int64_t offset = result_.scratch_bytes;
    result_.scratch_bytes +=
        (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
    return {ValuePlace::Kind::kScratch, offset};
  }

  void add_source(const PlanStep& step) {
    if (!result_.source_keys.empty()) throw InternalError("data plan: two sources in one plan.");
    const std::vector<std::string>& writes = nodes_[step.node].writes;
    for (const KeySpec& key : result_.source->keys()) {
      const auto at = std::find(writes.begin(), writes.end(), key.key) - writes.begin();
      const auto k = static_cast<size_t>(at);
      const int index = k < step.outputs.size() ? step.outputs[k] : -1;
      result_.source_keys.push_back(index < 0 ? ValuePlace{} : places_[static_cast<size_t>(index)]);
    }
  }

  void add_step(size_t s, uint16_t number) {
    const PlanStep& work = plan_.steps[s];
    const DataOp op = op_of(s);
    DataStep step{.name = data_op_name(node_of(s)),
                  .op_number = number,
                  .op = op.sample,
                  .batch_op = op.batch};
    for (const int index : work.inputs) step.inputs.push_back(input(index, step.name));
    for (size_t k = 0; k < work.outputs.size(); ++k) {
      step.outputs.push_back(output(work, k, op));
      if (is_in_place(s)) add_copy(step, k);
    }
    (op.sample ? result_.steps : result_.batch_steps).push_back(std::move(step));
  }

  // Up to the first op that draws or moves with time; a value made before it is needed after it
  // when something later reads it.
  void find_fixed_part() {
    int end = 0;
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      const GraphNode& node = node_of(s);
      if (node.place > Place::kSample) break;
      if (is_op(s)) {
        if (op_of(s).sample->is_random() || node.changes_with_time) break;
        ++result_.fixed_steps;
        result_.fixed_identity += data_op_name(node) + " " + join(node.reads, ",") + " -> " +
                                  join(node.writes, ",") + "\n" + node.signature + "\n";
      }
      end = static_cast<int>(s) + 1;
    }
    for (int s = 0; s < end; ++s)
      for (const int index : plan_.steps[static_cast<size_t>(s)].outputs)
        if (index >= 0) add_if_needed_after(static_cast<size_t>(index), end);
  }

  void add_if_needed_after(size_t value, int end) {
    const PlanValue& facts = plan_.values[value];
    if (last_read_[value] < end && !stays_with_batch(facts)) return;
    result_.fixed_values.push_back({facts.spec, places_[value]});
    result_.fixed_identity += facts.key + " " + facts.spec.text() + "\n";
  }

  [[nodiscard]] DataStep::Operand input(int index, const std::string& op) const {
    const auto value = static_cast<size_t>(index);
    if (places_[value].is_nowhere())
      throw InternalError("data plan: op " + quote(op) + " reads " +
                          quote(plan_.values[value].key) + ", which the data side does not make.");
    return {plan_.values[value].spec, places_[value]};
  }

  // An op writes all its outputs; those that nobody needs go where nobody looks.
  [[nodiscard]] DataStep::Operand output(const PlanStep& work, size_t k, const DataOp& op) {
    if (work.outputs[k] >= 0) {
      const auto value = static_cast<size_t>(work.outputs[k]);
      const Spec& spec = plan_.values[value].spec;
      return {spec, places_[value], with_rows(spec)};
    }
    std::vector<Spec> inputs;
    for (const int index : work.inputs)
      inputs.push_back(plan_.values[static_cast<size_t>(index)].spec);
    Spec spec = op.sample ? op.sample->infer(inputs).at(k) : op.batch->infer(inputs).at(k);
    return {spec, unneeded_place(spec, op.batch != nullptr), with_rows(spec)};
  }

  ValuePlace unneeded_place(const Spec& spec, bool is_of_batch) {
    if (is_of_batch) return {ValuePlace::Kind::kWhole, result_.whole_values++};
    return spec.is_ragged() ? ragged(result_.ragged_values) : scratch(spec.bytes());
  }

  static void add_copy(DataStep& step, size_t k) {
    if (k >= step.inputs.size() || step.inputs[k].place == step.outputs[k].place) return;
    if (have_same_size(step.inputs[k].spec, step.outputs[k].spec)) step.copies.push_back(k);
  }

  const Plan& plan_;
  const std::vector<GraphNode>& nodes_;
  std::vector<int> last_read_;
  std::vector<size_t> home_;
  std::vector<ValuePlace> places_;
  DataPlan result_;
};

}  // namespace

DataPlan make_data_plan(const Plan& plan, const std::vector<GraphNode>& nodes,
                        std::shared_ptr<const Source> source, Fusion fusion) {
  const FusedGraph fused = fuse_sample_ops(plan, nodes, fusion);
  return DataPlanner(fused.plan, fused.nodes, std::move(source)).make();
}

}  // namespace hearth
