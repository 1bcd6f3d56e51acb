// Windows and scheduled options of graph nodes.
#include "hearth/experiment/graph_component.h"

namespace hearth {
namespace {

constexpr const char* kWindowFields[] = {"when", "from", "until", "every", "offset"};

bool is_epoch_number(const Type& type) {
  return (type.kind == TypeKind::kNumber || type.kind == TypeKind::kInteger) && !type.is_scheduled;
}

// Calls visit(schedule, type) for every schedule that stands for a number, or for one in a list,
// and is not asked at every step by the component itself.
template <class Visit>
void for_each_schedule(Node& options, const SchemaInfo& schema, const Visit& visit) {
  for (const Field& field : schema.fields) {
    Node* value = options.find(field.name);
    if (value == nullptr) continue;
    if (is_epoch_number(field.type) && is_schedule(*value)) visit(*value, field.type);
    if (field.type.kind != TypeKind::kList || !is_epoch_number(*field.type.element)) continue;
    if (is_schedule(*value)) visit(*value, *field.type.element);
    for (Node& item : value->items())
      if (is_schedule(item)) visit(item, *field.type.element);
  }
}

// The first turn is at the offset, the next ones a period later each.
bool is_turn(int64_t now, int64_t period, int64_t offset) {
  return now >= offset && (now - offset) % period == 0;
}

Node number_node(const Type& type, double value, const Mark& mark) {
  if (type.kind == TypeKind::kInteger)
    return Node::scalar(std::to_string(static_cast<int64_t>(std::llround(value))), mark);
  return Node::scalar(shortest_number(value), mark);
}

}  // namespace

bool NodeWindow::is_open(const Moment& moment, Mode mode) const {
  // Without data nobody knows the length: a prediction takes place at its end.
  if (moment.length.total_steps == 0) return !until;
  if (from && moment.step < from->steps(moment.length)) return false;
  if (until && moment.step >= until->steps(moment.length)) return false;
  if (!every) return true;
  if (counts_epochs())
    return is_turn(moment.epoch, epoch_period(), offset ? std::llround(offset->value) : 0);
  if (mode != Mode::kTrain) return true;
  return is_turn(moment.step, step_period(moment.length),
                 offset ? offset->steps(moment.length) : 0);
}

// Whole epochs are counted as such; parts of one, as steps.
bool NodeWindow::counts_epochs() const {
  return every && every->unit == TimeUnit::kEpoch && every->value == std::floor(every->value);
}

std::vector<int64_t> NodeWindow::edges(const TrainingLength& length) const {
  std::vector<int64_t> steps;
  if (from) steps.push_back(from->steps(length));
  if (until) steps.push_back(until->steps(length));
  return steps;
}

int64_t NodeWindow::epoch_period() const {
  return counts_epochs() ? std::max<int64_t>(std::llround(every->value), 1) : 1;
}

int64_t NodeWindow::step_period(const TrainingLength& length) const {
  return every && !counts_epochs() ? std::max<int64_t>(every->steps(length), 1) : 1;
}

NodeWindow read_window(const Node& options) {
  NodeWindow window;
  if (const Node* when = options.find("when"))
    window.modes = TypeOf<std::optional<Modes>>::read(*when);
  const auto read = [&](const char* name, std::optional<Time>& time) {
    if (const Node* given = options.find(name)) time = TypeOf<std::optional<Time>>::read(*given);
  };
  read("from", window.from);
  read("until", window.until);
  read("every", window.every);
  read("offset", window.offset);
  return window;
}

Node without_window(const Node& options) {
  Node rest = options;
  for (const char* field : kWindowFields) rest.erase(field);
  return rest;
}

Node resolve_schedules(const Node& options, const SchemaInfo& schema, const Moment& moment) {
  const Moment start{moment.length.first_step(moment.epoch), moment.epoch, moment.length};
  Node resolved = options;
  for_each_schedule(resolved, schema, [&](Node& value, const Type& type) {
    const ScheduledValue schedule(TypeOf<Scheduled>::read(value));
    value = number_node(type, schedule.at(start), Mark(value.mark()));
  });
  return resolved;
}

bool has_schedules(const Node& options, const SchemaInfo& schema) {
  bool has = false;
  Node copy = options;
  for_each_schedule(copy, schema, [&](const Node&, const Type&) { has = true; });
  return has;
}

std::vector<int64_t> schedule_changes(const Node& options, const SchemaInfo& schema,
                                      const TrainingLength& length) {
  std::vector<int64_t> steps;
  Node copy = options;
  for_each_schedule(copy, schema, [&](const Node& value, const Type&) {
    for (const int64_t step : ScheduledValue(TypeOf<Scheduled>::read(value)).changes(length))
      steps.push_back(step);
  });
  return steps;
}

}  // namespace hearth
