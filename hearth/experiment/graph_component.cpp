// Windows and scheduled options of graph nodes.
#include "hearth/experiment/graph_component.h"

namespace hearth {
namespace {

constexpr const char* kWindowFields[] = {"when", "from", "until"};

// A number option that holds a schedule, and is not asked at every step by its component.
bool is_resolved_here(const Field& field, const Node& value) {
  const bool is_number =
      field.type.kind == TypeKind::kNumber || field.type.kind == TypeKind::kInteger;
  return is_number && !field.type.is_scheduled && is_schedule(value);
}

Node number_node(const Field& field, double value, const Mark& mark) {
  if (field.type.kind == TypeKind::kInteger)
    return Node::scalar(std::to_string(static_cast<int64_t>(std::llround(value))), mark);
  return Node::scalar(shortest_number(value), mark);
}

}  // namespace

bool NodeWindow::is_open(const Moment& moment) const {
  if (from && moment.step < from->steps(moment.length)) return false;
  return !until || moment.step < until->steps(moment.length);
}

std::vector<int64_t> NodeWindow::changes(const TrainingLength& length) const {
  std::vector<int64_t> steps;
  if (from) steps.push_back(from->steps(length));
  if (until) steps.push_back(until->steps(length));
  return steps;
}

NodeWindow read_window(const Node& options) {
  NodeWindow window;
  if (const Node* when = options.find("when"))
    window.modes = TypeOf<std::optional<Modes>>::read(*when);
  if (const Node* from = options.find("from"))
    window.from = TypeOf<std::optional<Time>>::read(*from);
  if (const Node* until = options.find("until"))
    window.until = TypeOf<std::optional<Time>>::read(*until);
  return window;
}

Node without_window(const Node& options) {
  Node rest = options;
  for (const char* field : kWindowFields) rest.erase(field);
  return rest;
}

Node resolve_schedules(const Node& options, const SchemaInfo& schema, const Moment& moment) {
  Node resolved = options;
  for (const Field& field : schema.fields) {
    Node* value = resolved.find(field.name);
    if (value == nullptr || !is_resolved_here(field, *value)) continue;
    const ScheduledValue schedule(TypeOf<Scheduled>::read(*value));
    const Mark mark = value->mark();
    *value = number_node(field, schedule.at(moment), mark);
  }
  return resolved;
}

std::vector<int64_t> schedule_changes(const Node& options, const SchemaInfo& schema,
                                      const TrainingLength& length) {
  std::vector<int64_t> steps;
  for (const Field& field : schema.fields) {
    const Node* value = options.find(field.name);
    if (value == nullptr || !is_resolved_here(field, *value)) continue;
    for (int64_t step : ScheduledValue(TypeOf<Scheduled>::read(*value)).changes(length))
      steps.push_back(step);
  }
  return steps;
}

}  // namespace hearth
