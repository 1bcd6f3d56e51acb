// Numbers that may be schedules: how options hold them and how a training asks them.
#include "hearth/schedule/schedule.h"

#include <algorithm>

#include "hearth/base/text.h"

namespace hearth {

ScheduledValue::ScheduledValue(const Scheduled& scheduled)
    : value_(scheduled.constant()),
      schedule_(scheduled.is_constant() ? nullptr
                                        : registry<Schedule>().make(scheduled.schedule())) {}

double ScheduledValue::at(const Moment& moment) const {
  return schedule_ ? schedule_->value(moment) : value_;
}

std::vector<int64_t> ScheduledValue::changes(const TrainingLength& length) const {
  if (schedule_) return schedule_->changes(length);
  return {0};
}

bool is_schedule(const Node& value) {
  if (!value.is_map() || value.entries().size() != 1) return false;
  const auto names = registry<Schedule>().names();
  return std::find(names.begin(), names.end(), value.entries().front().key) != names.end();
}

std::optional<std::pair<double, double>> schedule_range(const Node& schedule) {
  const Choice<Schedule> choice = TypeOf<Choice<Schedule>>::read(schedule);
  const std::vector<std::string> known = registry<Schedule>().names();
  if (std::find(known.begin(), known.end(), choice.name()) == known.end()) return std::nullopt;
  return registry<Schedule>().make(choice)->range();
}

Type TypeOf<Scheduled>::type() {
  Type type;
  type.kind = TypeKind::kNumber;
  type.is_scheduled = true;
  return type;
}

Scheduled TypeOf<Scheduled>::read(const Node& node) {
  if (node.is_scalar())
    if (const auto number = read_number(node.text())) return *number;
  return TypeOf<Choice<Schedule>>::read(node);
}

Node TypeOf<Scheduled>::write(const Scheduled& value) {
  if (value.is_constant()) return TypeOf<double>::write(value.constant());
  return TypeOf<Choice<Schedule>>::write(value.schedule());
}

Type TypeOf<ScheduledCount>::type() {
  Type type = TypeOf<int64_t>::type();
  type.is_scheduled = true;
  return type;
}

ScheduledCount TypeOf<ScheduledCount>::read(const Node& node) {
  if (node.is_scalar())
    if (const auto number = read_integer(node.text())) return *number;
  return TypeOf<Choice<Schedule>>::read(node);
}

Node TypeOf<ScheduledCount>::write(const ScheduledCount& value) {
  if (value.is_constant()) return TypeOf<int64_t>::write(static_cast<int64_t>(value.constant()));
  return TypeOf<Choice<Schedule>>::write(value.schedule());
}

}  // namespace hearth
