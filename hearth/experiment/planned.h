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

#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

// The part of a node's options that every kind shares: when, from, until.
struct NodeWindow {
  std::optional<Modes> modes;
  std::optional<Time> from;
  std::optional<Time> until;
  // Whether the node is on in the epoch that starts at `moment`.
  [[nodiscard]] bool is_open(const Moment& moment) const;
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const;
};
[[nodiscard]] NodeWindow read_window(const Node& options);
[[nodiscard]] Node without_window(const Node& options);

// Options whose schedules are replaced by their values at `moment`; only options that are numbers
// in the schema are looked at, and not those that the component asks at every step by itself.
[[nodiscard]] Node resolve_schedules(const Node& options, const SchemaInfo& schema,
                                     const Moment& moment);
[[nodiscard]] std::vector<int64_t> schedule_changes(const Node& options, const SchemaInfo& schema,
                                                    const TrainingLength& length);

template <class Base>
class Planned {
 public:
  Planned(std::string label, const Choice<Base>& choice)
      : label_(std::move(label)),
        name_(choice.name()),
        mark_(choice.options().mark()),
        window_(read_window(choice.options())),
        options_(without_window(choice.options())),
        schema_(registry<Base>().schema(choice.name(), mark_)) {}

  // The component for this moment. The same resolved options give the same object.
  [[nodiscard]] std::shared_ptr<Base> at(const Moment& moment) {
    const Node resolved = resolve_schedules(options_, schema_, moment);
    std::shared_ptr<Base>& made = made_[to_yaml(resolved)];
    if (!made) made = registry<Base>().make({name_, resolved});
    return made;
  }
  [[nodiscard]] std::string signature(const Moment& moment) const {
    return to_yaml(resolve_schedules(options_, schema_, moment));
  }
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const {
    std::vector<int64_t> steps = schedule_changes(options_, schema_, length);
    for (int64_t step : window_.changes(length)) steps.push_back(step);
    return steps;
  }
  [[nodiscard]] const std::string& label() const { return label_; }  // "network[1] cross_entropy"
  [[nodiscard]] const NodeWindow& window() const { return window_; }
  [[nodiscard]] const Mark& mark() const { return mark_; }

 private:
  std::string label_;
  std::string name_;
  Mark mark_;
  NodeWindow window_;
  Node options_;
  SchemaInfo schema_;
  std::map<std::string, std::shared_ptr<Base>> made_;
};

// data.ops[0] normalize, data.ops[1] random_shift, ...
template <class Base>
[[nodiscard]] std::vector<Planned<Base>> plan_all(const std::string& slot,
                                                  const std::vector<Choice<Base>>& choices) {
  std::vector<Planned<Base>> planned;
  for (size_t i = 0; i < choices.size(); ++i)
    planned.emplace_back(slot + "[" + std::to_string(i) + "] " + choices[i].name(), choices[i]);
  return planned;
}

}  // namespace hearth
