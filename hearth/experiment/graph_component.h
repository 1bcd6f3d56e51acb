// A component as a node of the graph: its label, the modes and the stretch of training it lives in,
// and its options with scheduled numbers resolved for an epoch.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/core/graph.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

// The part of a node's options that every kind shares: when, from, until, every, offset.
struct NodeWindow {
  std::optional<Modes> modes = {};
  std::optional<Time> from = {};
  std::optional<Time> until = {};
  std::optional<Time> every = {};
  std::optional<Time> offset = {};

  // Whether the node is on at that moment. A repetition in steps is about training: elsewhere the
  // node is on.
  [[nodiscard]] bool is_open(const Moment& moment, Mode mode = Mode::kTrain) const;
  // Whether time has a say at all.
  [[nodiscard]] bool is_timed() const { return (from && from->value > 0) || until || every; }
  // The steps at which it opens for good and closes for good.
  [[nodiscard]] std::vector<int64_t> edges(const TrainingLength& length) const;
  // After so many epochs, or steps within one, it repeats itself; 1 when it does not repeat.
  [[nodiscard]] int64_t epoch_period() const;
  [[nodiscard]] int64_t step_period(const TrainingLength& length) const;

 private:
  [[nodiscard]] bool counts_epochs() const;
};
[[nodiscard]] NodeWindow read_window(const Node& options);
[[nodiscard]] Node without_window(const Node& options);

// Options whose schedules are replaced by their values as the epoch of `moment` starts; only
// options that are numbers in the schema are looked at, and not those that the component asks at
// every step by itself.
[[nodiscard]] Node resolve_schedules(const Node& options, const SchemaInfo& schema,
                                     const Moment& moment);
[[nodiscard]] bool has_schedules(const Node& options, const SchemaInfo& schema);
[[nodiscard]] std::vector<int64_t> schedule_changes(const Node& options, const SchemaInfo& schema,
                                                    const TrainingLength& length);

template <class Base>
class GraphComponent {
 public:
  GraphComponent(std::string label, const Choice<Base>& choice)
      : label_(std::move(label)),
        name_(choice.name()),
        mark_(choice.options().mark()),
        given_(choice.options()),
        window_(read_window(choice.options())),
        options_(without_window(choice.options())),
        schema_(registry<Base>().schema(choice.name(), mark_)) {}

  // Runs `work`; an error it throws gets the place of the option that it is about.
  template <class Work>
  decltype(auto) placed(Work&& work) const {
    return at_option_of(given_, std::forward<Work>(work));
  }
  // The component for the epoch of this moment. The same resolved options give the same object.
  [[nodiscard]] std::shared_ptr<Base> at(const Moment& moment) {
    const Node resolved = resolved_at(moment);
    const std::string text = to_yaml(resolved);
    if (!made_.contains(text)) forget_unused();
    std::shared_ptr<Base>& made = made_[text];
    if (!made) made = registry<Base>().make({name_, resolved});
    return made;
  }
  // The node for that moment. `own` is what the component says of itself: keys, specs, effect, the
  // modes it lives in unless `when` says others.
  [[nodiscard]] GraphNode node(const Moment& moment, Mode mode, GraphNode own) const {
    own.name = label_;
    own.mark = mark_;
    own.modes = window_.modes.value_or(own.modes);
    own.is_active = is_open(moment, mode);
    own.signature = signature(moment);
    own.changes_with_time = window_.is_timed() || changes_with_epochs();
    return own;
  }
  [[nodiscard]] bool is_open(const Moment& moment, Mode mode) const {
    return placed([&] { return window_.is_open(moment, mode); });
  }
  // Its options as they are in the epoch of this moment.
  [[nodiscard]] std::string signature(const Moment& moment) const {
    return to_yaml(resolved_at(moment));
  }
  // Steps from which on its options, as an epoch starts, may differ; none when they never do.
  [[nodiscard]] std::vector<int64_t> option_changes(const TrainingLength& length) const {
    return placed([&] { return schedule_changes(options_, schema_, length); });
  }
  [[nodiscard]] bool changes_with_epochs() const { return has_schedules(options_, schema_); }
  [[nodiscard]] const std::string& label() const { return label_; }  // "network[1] cross_entropy"
  [[nodiscard]] const NodeWindow& window() const { return window_; }
  [[nodiscard]] const Mark& mark() const { return mark_; }

 private:
  [[nodiscard]] Node resolved_at(const Moment& moment) const {
    return placed([&] { return resolve_schedules(options_, schema_, moment); });
  }
  // A schedule that moves at every epoch would fill the memory with what nobody uses any more.
  void forget_unused() {
    constexpr size_t kKept = 64;
    if (made_.size() < kKept) return;
    std::erase_if(made_, [](const auto& entry) { return entry.second.use_count() == 1; });
  }

  std::string label_;
  std::string name_;
  Mark mark_;
  Node given_;
  NodeWindow window_;
  Node options_;
  SchemaInfo schema_;
  std::map<std::string, std::shared_ptr<Base>> made_;
};

// data.ops[0] normalize, data.ops[1] random_shift, ...
template <class Base>
[[nodiscard]] std::vector<GraphComponent<Base>> graph_components(
    const std::string& place, const std::vector<Choice<Base>>& choices) {
  std::vector<GraphComponent<Base>> components;
  for (size_t i = 0; i < choices.size(); ++i)
    components.emplace_back(place + "[" + std::to_string(i) + "] " + choices[i].name(), choices[i]);
  return components;
}

}  // namespace hearth
