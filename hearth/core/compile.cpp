// The plan compiler: what is on, what is needed, does every edge fit, which values there are.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/core/graph.h"

namespace hearth {
namespace {

bool is_on_host(Place place) { return place < Place::kNetwork; }

// The ops that give values of this kind one size.
std::string fixing_ops(const Spec& spec) {
  if (spec.role == Role::kEncodedImage)
    return "decode, and then resize, random_crop, center_crop or pad_to";
  if (spec.role == Role::kImage || spec.role == Role::kMask)
    return "resize, random_crop, center_crop or pad_to";
  if (spec.role == Role::kText) return "an op that turns text into numbers, and then pad_to";
  return "pad_to";
}

class Compiler {
 public:
  Compiler(const std::vector<GraphNode>& nodes, const CompileRequest& request)
      : nodes_(nodes), request_(request) {
    plan_.mode = request.mode;
  }

  Plan run() {
    const std::vector<size_t> kept = prune(switched_on());
    check_unneeded();
    check_overwritten(kept);
    add_feeds();
    for (size_t index : kept) connect(index);
    resolve_fetches();
    if (!faults_.empty()) throw PlanError(faults_, request_.mode);
    drop_unread_values();
    sign(kept);
    return std::move(plan_);
  }

 private:
  // Job 1: modes and schedules decide what is on.
  std::vector<size_t> switched_on() {
    std::vector<size_t> on;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].modes.has(request_.mode))
        plan_.pruned.push_back({i, "lives in " + join(nodes_[i].modes.names(), ", ") + " only"});
      else if (!nodes_[i].is_active)
        plan_.pruned.push_back({i, "off " + request_.when});
      else
        on.push_back(i);
    }
    return on;
  }

  // Job 3: backwards from what is wanted; a node nobody needs does not run.
  std::vector<size_t> prune(const std::vector<size_t>& on) {
    std::set<std::string> needed(request_.fetches.begin(), request_.fetches.end());
    for (const KeySpec& feed : request_.feeds) needed.erase(feed.key);
    std::vector<size_t> kept;
    for (size_t k = on.size(); k-- > 0;) {
      const GraphNode& node = nodes_[on[k]];
      for (const std::string& key : node.drops) needed.erase(key);
      const bool is_needed =
          std::any_of(node.writes.begin(), node.writes.end(),
                      [&](const std::string& key) { return needed.contains(key); });
      if (!is_needed && !node.has_effect && node.drops.empty()) {
        plan_.pruned.push_back({on[k], "nobody needs " + quoted(node.writes)});
        unneeded_.push_back(on[k]);
        continue;
      }
      kept.push_back(on[k]);
      for (const std::string& key : node.writes) needed.erase(key);
      for (const std::string& key : node.reads)
        if (!is_fed(key)) needed.insert(key);
    }
    std::sort(
        plan_.pruned.begin(), plan_.pruned.end(),
        [](const PrunedNode& left, const PrunedNode& right) { return left.node < right.node; });
    std::reverse(kept.begin(), kept.end());
    return kept;
  }

  // A node that nobody needs because its key is misspelt must not vanish in silence. In infer mode,
  // and with feeds, the graph is a part of the whole, and keys may well be missing.
  void check_unneeded() {
    if (request_.mode == Mode::kInfer || !request_.feeds.empty()) return;
    for (size_t index : unneeded_)
      for (const std::string& key : nodes_[index].reads)
        if (!written_elsewhere(index).contains(key)) missing(index, key);
  }

  // A node is not needed either when another one writes its key again before anyone has read it.
  void check_overwritten(const std::vector<size_t>& kept) {
    for (size_t unneeded : unneeded_)
      for (const std::string& key : nodes_[unneeded].writes) {
        const auto later = std::find_if(kept.begin(), kept.end(), [&](size_t index) {
          const auto& writes = nodes_[index].writes;
          return index > unneeded && std::find(writes.begin(), writes.end(), key) != writes.end();
        });
        if (later != kept.end() && !is_fed(key)) overwritten(*later, key, nodes_[unneeded].name);
      }
  }

  std::set<std::string> written_elsewhere(size_t reader) const {
    std::set<std::string> keys;
    for (const KeySpec& feed : request_.feeds) keys.insert(feed.key);
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (i != reader) keys.insert(nodes_[i].writes.begin(), nodes_[i].writes.end());
    return keys;
  }

  void add_feeds() {
    for (const KeySpec& feed : request_.feeds) {
      // A whole batch, whose rows have one shape, whatever that is.
      PlanValue value{feed.key, feed.spec, Place::kBatch, true, false, false};
      current_[feed.key] = add_value(std::move(value), std::nullopt);
    }
  }

  // Jobs 2 and 4: check a node's edges and number its values.
  void connect(size_t index) {
    const GraphNode& node = nodes_[index];
    if (!node.drops.empty()) return drop(index);
    PlanStep step;
    step.node = index;
    std::vector<Spec> inputs;
    bool is_broken = false;
    for (const std::string& key : node.reads) {
      const auto found = current_.find(key);
      if (found == current_.end()) {
        if (!poisoned_.contains(key)) missing(index, key);
        is_broken = true;
        continue;
      }
      read(found->second, node.place);
      step.inputs.push_back(found->second);
      const PlanValue& value = plan_.values[static_cast<size_t>(found->second)];
      const bool crosses = is_on_host(value.place) && !is_on_host(node.place);
      if (crosses && is_ragged_at_border(value)) {
        fault(index, "reads " + ragged_text(value));
        is_broken = true;
      }
      if (value.spec.role == Role::kGradients && !node.takes_gradients) {
        fault(index, "reads " + gradients_text(key));
        is_broken = true;
      }
      inputs.push_back(crosses ? in_network(value.spec) : value.spec);
    }
    const std::optional<std::vector<Spec>> outputs =
        is_broken ? std::nullopt : inferred(index, inputs);
    for (size_t k = 0; k < node.writes.size(); ++k) write(index, k, outputs, step);
    plan_.steps.push_back(std::move(step));
  }

  // Whoever comes later does not find the key; nothing runs for that.
  void drop(size_t index) {
    for (const std::string& key : nodes_[index].drops) {
      const bool is_partial = request_.mode == Mode::kInfer || !request_.feeds.empty();
      if (!is_fed(key) && current_.erase(key) == 0 && !is_partial && !is_made_before(index, key))
        missing(index, key);
    }
  }

  // Perhaps for nobody: what is not needed has no value.
  bool is_made_before(size_t index, const std::string& key) const {
    for (size_t i = 0; i < index; ++i)
      if (std::find(nodes_[i].writes.begin(), nodes_[i].writes.end(), key) !=
          nodes_[i].writes.end())
        return true;
    return false;
  }

  void read(int index, Place reader) {
    PlanValue& value = plan_.values[static_cast<size_t>(index)];
    ++readers_[static_cast<size_t>(index)];
    if (is_on_host(value.place) && !is_on_host(reader)) value.crosses_to_network = true;
    if (reader == Place::kRecord) value.is_recorded = true;
    if (reader == Place::kBatch && value.place != Place::kBatch) value.crosses_to_batch = true;
  }

  // A batch op gives the rows of a batch one shape, whatever that is.
  static bool is_ragged_at_border(const PlanValue& value) {
    return value.spec.is_ragged() && value.place != Place::kBatch;
  }

  static std::string ragged_text(const PlanValue& value) {
    return "'" + value.key + "' as " + value.spec.text() +
           ", which differs from sample to sample; the network takes values of one size. Put " +
           fixing_ops(value.spec) + " into data.ops, or pad_longest into data.batch_ops.";
  }

  static std::string gradients_text(const std::string& key) {
    return "'" + key +
           "', which stands for gradients: gradient ops, such as clip_norm and watch_gradients, "
           "and "
           "step take it. Name a key that holds values.";
  }

  std::optional<std::vector<Spec>> inferred(size_t index, const std::vector<Spec>& inputs) {
    const GraphNode& node = nodes_[index];
    try {
      std::vector<Spec> outputs = node.infer(inputs);
      if (outputs.size() == node.writes.size()) return outputs;
      throw InternalError(node.name + " says it writes " + std::to_string(node.writes.size()) +
                          " keys but gives " + std::to_string(outputs.size()) + " specs.");
    } catch (const GraphError& error) {
      if (error.is_placed())
        faults_.push_back({*error.place(), error.message(), request_.mode});
      else
        fault(index, error.what());
      return std::nullopt;
    }
  }

  void write(size_t index, size_t k, const std::optional<std::vector<Spec>>& outputs,
             PlanStep& step) {
    const std::string& key = nodes_[index].writes[k];
    // A value given from outside stands in for whoever would make it.
    if (is_fed(key)) {
      step.outputs.push_back(-1);
      return;
    }
    const auto before = current_.find(key);
    if (before != current_.end() && readers_[static_cast<size_t>(before->second)] == 0)
      overwritten(index, key, maker(before->second));
    if (!outputs) {
      poisoned_.insert(key);
      current_.erase(key);
      return;
    }
    current_[key] =
        add_value({key, (*outputs)[k], nodes_[index].place, false, false, false}, index);
    step.outputs.push_back(current_[key]);
  }

  int add_value(PlanValue value, std::optional<size_t> made_by) {
    plan_.values.push_back(std::move(value));
    makers_.push_back(made_by);
    readers_.push_back(0);
    return static_cast<int>(plan_.values.size()) - 1;
  }

  void resolve_fetches() {
    for (const std::string& key : request_.fetches) {
      const auto found = current_.find(key);
      if (found == current_.end()) {
        if (!poisoned_.contains(key))
          faults_.push_back({request_.fetches_mark.prefix(),
                             "the fetch '" + key + "' is made by nothing" +
                                 why_not(key, nodes_.size()) + hint(key, nodes_.size()),
                             request_.mode});
        continue;
      }
      ++readers_[static_cast<size_t>(found->second)];
      PlanValue& value = plan_.values[static_cast<size_t>(found->second)];
      if (is_on_host(value.place) && is_ragged_at_border(value))
        faults_.push_back(
            {request_.fetches_mark.prefix(), "the fetch is " + ragged_text(value), request_.mode});
      if (value.spec.role == Role::kGradients)
        faults_.push_back(
            {request_.fetches_mark.prefix(), "the fetch is " + gradients_text(key), request_.mode});
      value.is_recorded = true;
      if (value.place != Place::kNetwork) value.crosses_to_network = true;
      plan_.fetches.push_back(found->second);
    }
  }

  // A value nobody reads is dropped: it is not decoded, not batched, not moved, not kept.
  void drop_unread_values() {
    std::vector<int> renumbered(plan_.values.size(), -1);
    std::vector<PlanValue> values;
    for (size_t i = 0; i < plan_.values.size(); ++i) {
      if (readers_[i] == 0) continue;
      renumbered[i] = static_cast<int>(values.size());
      values.push_back(std::move(plan_.values[i]));
    }
    plan_.values = std::move(values);
    auto renumber = [&](int& index) {
      index = index < 0 ? -1 : renumbered[static_cast<size_t>(index)];
    };
    for (PlanStep& step : plan_.steps) {
      std::for_each(step.inputs.begin(), step.inputs.end(), renumber);
      std::for_each(step.outputs.begin(), step.outputs.end(), renumber);
    }
    std::for_each(plan_.fetches.begin(), plan_.fetches.end(), renumber);
  }

  void sign(const std::vector<size_t>& kept) {
    plan_.signature = name(plan_.mode);
    for (size_t index : kept) plan_.signature += "|" + nodes_[index].name + nodes_[index].signature;
  }

  void overwritten(size_t index, const std::string& key, const std::string& maker) {
    fault(index, "overwrites '" + key + "' of " + maker +
                     ", which nobody has read. Give one of them another key.");
  }

  void missing(size_t index, const std::string& key) {
    const std::string why = why_not(key, index);
    // What is predicted has no labels, whatever the key is called.
    const bool is_of_training =
        why == "." && request_.mode == Mode::kInfer && nodes_[index].place == Place::kBatch;
    fault(index, "reads '" + key + "', which nothing makes" + why +
                     (is_of_training ? " If it is for training alone, say `when: train`."
                                     : hint(key, index)));
  }

  // Who would make the key, and why it does not here; a full stop when nobody does anywhere.
  std::string why_not(const std::string& key, size_t reader) const {
    for (size_t i = 0; i < std::min(reader, nodes_.size()); ++i) {
      const auto& drops = nodes_[i].drops;
      if (std::find(drops.begin(), drops.end(), key) != drops.end() &&
          nodes_[i].modes.has(request_.mode) && nodes_[i].is_active)
        return " any more: " + nodes_[i].name + " dropped it. Move that one down.";
    }
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const auto& writes = nodes_[i].writes;
      if (std::find(writes.begin(), writes.end(), key) == writes.end()) continue;
      if (!nodes_[i].modes.has(request_.mode))
        return " in this mode: " + nodes_[i].name + " makes it, but lives in " +
               join(nodes_[i].modes.names(), ", ") + " only." + cure_by_mode(nodes_[i], reader);
      if (!nodes_[i].is_active)
        return " " + request_.when + ": " + nodes_[i].name + " makes it, but is off then.";
      if (i > reader)
        return " before it: " + nodes_[i].name + " makes it, but comes later. Move it up.";
    }
    return ".";
  }

  // Most that cannot live in a mode are meant for training, such as what mixes samples.
  std::string cure_by_mode(const GraphNode& maker, size_t reader) const {
    const bool may_be_limited = reader < nodes_.size() && nodes_[reader].modes.has(Mode::kTrain) &&
                                maker.modes.has(Mode::kTrain);
    return may_be_limited ? " If it is for training alone, say `when: train`." : "";
  }

  // The nearest key that another node makes anywhere, unless the key itself is.
  std::string hint(const std::string& key, size_t reader) const {
    const std::set<std::string> known = written_elsewhere(reader);
    return known.contains(key) ? "" : did_you_mean(key, {known.begin(), known.end()});
  }

  void fault(size_t index, const std::string& message) {
    const GraphNode& node = nodes_[index];
    const std::string where = node.mark.text();
    faults_.push_back({where.empty() ? "" : where + ": ", said_by(node, message), request_.mode});
  }

  // An op that begins its message with its own name, which the node's ends with, is named once.
  static std::string said_by(const GraphNode& node, const std::string& message) {
    const size_t last = node.name.rfind(' ') + 1;  // 0 in a name of one word
    const bool is_named = message.starts_with(node.name.substr(last) + ": ");
    return is_named ? node.name.substr(0, last) + message : node.name + " " + message;
  }

  std::string maker(int index) const {
    const auto& made_by = makers_[static_cast<size_t>(index)];
    return made_by ? nodes_[*made_by].name : "the feed";
  }

  bool is_fed(const std::string& key) const {
    return std::any_of(request_.feeds.begin(), request_.feeds.end(),
                       [&](const KeySpec& feed) { return feed.key == key; });
  }

  static std::string quoted(const std::vector<std::string>& keys) {
    std::vector<std::string> texts;
    for (const std::string& key : keys) texts.push_back("'" + key + "'");
    return texts.empty() ? "it" : join(texts, ", ");
  }

  const std::vector<GraphNode>& nodes_;
  const CompileRequest& request_;
  Plan plan_;
  std::map<std::string, int> current_;         // key -> its newest value
  std::vector<std::optional<size_t>> makers_;  // value -> node, nothing for feeds
  std::vector<int> readers_;                   // value -> how many read it
  std::set<std::string> poisoned_;             // keys of broken nodes: one fault is enough
  std::vector<size_t> unneeded_;               // on, but pruned
  std::vector<PlanFault> faults_;
};

}  // namespace

Plan compile(const std::vector<GraphNode>& nodes, const CompileRequest& request) {
  return Compiler(nodes, request).run();
}

}  // namespace hearth
