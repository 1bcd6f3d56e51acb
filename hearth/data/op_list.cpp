// Ops inside of another one: values between them lie in memory of the thread.
#include "hearth/data/op_list.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth {

namespace {

size_t place_of_key(const std::string& key, std::vector<std::string>& keys) {
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found != keys.end()) return static_cast<size_t>(found - keys.begin());
  keys.push_back(key);
  return keys.size() - 1;
}

// Whether a value stands for a number that changes by time.
bool is_timed_number(const Node& value, const Type& type) {
  if (type.kind == TypeKind::kList && value.is_list())
    return std::any_of(value.items().begin(), value.items().end(),
                       [&](const Node& item) { return is_timed_number(item, *type.element); });
  if (type.kind == TypeKind::kList) return is_timed_number(value, *type.element);
  return (type.kind == TypeKind::kNumber || type.kind == TypeKind::kInteger) && value.is_map();
}

void check_untimed(const std::string& outer, const Choice<SampleOp>& choice) {
  const SchemaInfo schema = registry<SampleOp>().schema(choice.name(), choice.options().mark());
  for (const Node::Entry& entry : choice.options().entries()) {
    const Field* field = schema.find(entry.key);
    if (field == nullptr)
      throw_at(choice.options(), "'" + entry.key + "' of an op inside of " + outer +
                                     " has no effect. Give it to " + outer + " itself.");
    if (is_timed_number(entry.value, field->type))
      throw_at(entry.value, "'" + entry.key + "' of an op inside of " + outer +
                                " cannot follow a schedule. Give it a number.");
  }
}

void copy_to_cell(const View& from, const Cell& to) {
  const View copy = to.take(from.shape);
  const size_t bytes = from.elements() * static_cast<size_t>(size_of(from.spec->dtype));
  if (bytes > 0 && copy.data != from.data) std::memcpy(copy.data, from.data, bytes);
}

}  // namespace

// What one run needs. Ops inside of ops inside of others run at the same time, each at its depth.
struct OpListMemory {
  RaggedMemory memory;
  std::vector<View> now;            // the newest value of each key
  std::vector<View> inputs;         // of the op that runs
  std::vector<Cell> outputs;        // of the op that runs
  std::deque<RaggedValue> between;  // two for each key
};

class OpListDepth {
 public:
  OpListDepth() {
    if (memories_.size() == depth_) {
      memories_.emplace_back();
      memories_.back().memory.most_bytes_per_value = std::numeric_limits<int64_t>::max();
    }
    memory_ = &memories_[depth_++];
  }
  OpListDepth(const OpListDepth&) = delete;
  OpListDepth& operator=(const OpListDepth&) = delete;
  ~OpListDepth() { --depth_; }
  OpListMemory* operator->() const { return memory_; }

 private:
  static thread_local std::deque<OpListMemory> memories_;
  static thread_local size_t depth_;
  OpListMemory* memory_;
};

thread_local std::deque<OpListMemory> OpListDepth::memories_;
thread_local size_t OpListDepth::depth_ = 0;

class OpList::Running {
 public:
  Running(const OpList& list, std::span<const size_t> numbers, std::span<const View> inputs,
          std::span<const Cell> outputs)
      : list_(list), numbers_(numbers), outputs_(outputs) {
    memory_->now.assign(inputs.begin(), inputs.end());
    while (memory_->between.size() < 2 * inputs.size())
      memory_->between.emplace_back(memory_->memory);
  }

  void run(Random& random) {
    for (size_t i = 0; i < numbers_.size(); ++i) run_member(i, random);
    for (size_t w = 0; w < outputs_.size(); ++w)
      if (!is_written_from(w, 0)) copy_to_cell(memory_->now[list_.read_of_write_[w]], outputs_[w]);
  }

 private:
  [[nodiscard]] const Member& member(size_t i) const { return list_.ops_[numbers_[i]]; }

  [[nodiscard]] bool is_written_from(size_t write, size_t first) const {
    for (size_t i = first; i < numbers_.size(); ++i)
      if (std::ranges::find(member(i).writes, write) != member(i).writes.end()) return true;
    return false;
  }

  // Where the op writes to: the last one that writes a key, where it goes; others, to memory that
  // does not hold its newest value.
  [[nodiscard]] Cell cell_of(size_t write, size_t i) {
    if (!is_written_from(write, i + 1)) return outputs_[write];
    const size_t read = list_.read_of_write_[write];
    RaggedValue& first = memory_->between[2 * read];
    const bool is_first_taken = first.data() != nullptr && first.data() == memory_->now[read].data;
    RaggedValue& room = is_first_taken ? memory_->between[2 * read + 1] : first;
    const Spec& spec = outputs_[write].spec();
    if (spec.is_ragged()) return {room, spec};
    return {room.take(spec.shape, spec), spec};
  }

  void run_member(size_t i, Random& random) {
    const Member& now = member(i);
    memory_->inputs.clear();
    memory_->outputs.clear();
    for (const size_t read : now.reads) memory_->inputs.push_back(memory_->now[read]);
    for (const size_t write : now.writes) memory_->outputs.push_back(cell_of(write, i));
    if (now.op->is_in_place()) put_inputs_in_place();
    now.op->run(random, memory_->inputs, memory_->outputs);
    for (size_t k = 0; k < now.writes.size(); ++k)
      memory_->now[list_.read_of_write_[now.writes[k]]] = memory_->outputs[k].view();
  }

  // An op that works in place finds its input where its output lies.
  void put_inputs_in_place() {
    const size_t both = std::min(memory_->inputs.size(), memory_->outputs.size());
    for (size_t k = 0; k < both; ++k) {
      View& input = memory_->inputs[k];
      const Cell& output = memory_->outputs[k];
      if (input.spec->dtype != output.spec().dtype || input.spec->shape != output.spec().shape)
        continue;
      copy_to_cell(input, output);
      input = output.view();
    }
  }

  const OpList& list_;
  std::span<const size_t> numbers_;
  std::span<const Cell> outputs_;
  OpListDepth memory_;
};

OpList::OpList(std::string outer, const std::vector<Choice<SampleOp>>& choices)
    : outer_(std::move(outer)) {
  for (const Choice<SampleOp>& choice : choices) {
    check_untimed(outer_, choice);
    Member member{choice.name(), registry<SampleOp>().make(choice), {}, {}};
    if (!member.op->drops().empty())
      throw ConfigError(outer_ + ": " + choice.name() +
                        " stands in it, but a key is there in all samples or in none. Put it into "
                        "data.ops itself.");
    for (const std::string& key : member.op->reads())
      member.reads.push_back(place_of_key(key, reads_));
    for (const std::string& key : member.op->writes())
      member.writes.push_back(place_of_key(key, writes_));
    ops_.push_back(std::move(member));
  }
  for (const std::string& key : writes_) read_of_write_.push_back(place_of_key(key, reads_));
}

bool OpList::is_random() const {
  return std::any_of(ops_.begin(), ops_.end(),
                     [](const Member& member) { return member.op->is_random(); });
}

// The specs of everything written, when only this op runs.
std::vector<Spec> OpList::specs_after(const Member& member, const std::vector<Spec>& inputs) const {
  std::vector<Spec> own;
  for (const size_t read : member.reads) own.push_back(inputs.at(read));
  std::vector<Spec> specs;
  for (const size_t read : read_of_write_) specs.push_back(inputs.at(read));
  const std::vector<Spec> made = member.op->infer(own);
  for (size_t k = 0; k < made.size(); ++k) specs[member.writes[k]] = made[k];
  return specs;
}

std::vector<Spec> OpList::kept_specs(const std::vector<Spec>& inputs) const {
  std::vector<Spec> specs;
  for (const size_t read : read_of_write_) specs.push_back(inputs.at(read));
  for (const Member& member : ops_) {
    const std::vector<Spec> made = specs_after(member, inputs);
    for (size_t w = 0; w < made.size(); ++w)
      if (made[w] != specs[w])
        throw GraphError(outer_ + ": " + member.name + " makes " + made[w].text() + " of key " +
                         quote(writes_[w]) + ", which is " + specs[w].text() +
                         "; an op that does not run once for every sample must keep a key's size "
                         "and kind. Put it beside " +
                         outer_ + ", not inside.");
  }
  return specs;
}

std::vector<Spec> OpList::common_specs(const std::vector<Spec>& inputs) const {
  const std::vector<Spec> first = specs_after(ops_.front(), inputs);
  for (const Member& member : ops_) {
    const std::vector<Spec> made = specs_after(member, inputs);
    for (size_t w = 0; w < made.size(); ++w)
      if (made[w] != first[w])
        throw GraphError(outer_ + ": its ops must make the same of a key, but " +
                         ops_.front().name + " makes " + first[w].text() + " of " +
                         quote(writes_[w]) + ", and " + member.name + " " + made[w].text() + ".");
  }
  return first;
}

void OpList::run(std::span<const size_t> numbers, Random& random, std::span<const View> inputs,
                 std::span<const Cell> outputs) const {
  Running(*this, numbers, inputs, outputs).run(random);
}

}  // namespace hearth
