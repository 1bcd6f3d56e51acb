// Numbers that may be schedules: how options hold them and how a training asks them.
#include "hearth/schedule/schedule.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

bool is_registered(const std::string& schedule) {
  const auto names = registry<Schedule>().names();
  return std::find(names.begin(), names.end(), schedule) != names.end();
}

bool is_known_here(const Node& value);

// Whether all that stands in the place of numbers is known.
bool has_known_parts(const Node& value, const Type& type) {
  if (type.is_scheduled) return is_known_here(value);
  if (type.kind != TypeKind::kList || !type.element->is_scheduled) return true;
  if (!value.is_list()) return is_known_here(value);
  return std::all_of(value.items().begin(), value.items().end(), is_known_here);
}

// A number, or a schedule that is registered and made of registered ones.
bool is_known_here(const Node& value) {
  if (value.is_scalar() && read_number(value.text())) return true;
  const Choice<Schedule> choice = TypeOf<Choice<Schedule>>::read(value);
  if (!is_registered(choice.name())) return false;
  const SchemaInfo schema = registry<Schedule>().schema(choice.name(), value.mark());
  return std::all_of(choice.options().entries().begin(), choice.options().entries().end(),
                     [&](const Node::Entry& entry) {
                       const Field* field = schema.find(entry.key);
                       return field == nullptr || has_known_parts(entry.value, field->type);
                     });
}

}  // namespace

ScheduledValue::ScheduledValue(const Scheduled& scheduled)
    : value_(scheduled.constant()),
      said_(scheduled.is_constant() ? shortest_number(value_)
                                    : "of the schedule " + quote(scheduled.schedule().name())),
      schedule_(scheduled.is_constant() ? nullptr
                                        : registry<Schedule>().make(scheduled.schedule())) {}

double ScheduledValue::at(const Moment& moment) const {
  return schedule_ ? schedule_->value(moment) : value_;
}

std::pair<double, double> ScheduledValue::range() const {
  return schedule_ ? schedule_->range() : std::pair(value_, value_);
}

std::vector<std::string> ScheduledValue::unreached(const TrainingLength& length) const {
  if (schedule_) return schedule_->unreached(length);
  return {};
}

std::vector<int64_t> ScheduledValue::changes(const TrainingLength& length) const {
  if (schedule_) return schedule_->changes(length);
  return {0};
}

bool is_schedule(const Node& value) {
  return value.is_map() && value.entries().size() == 1 &&
         is_registered(value.entries().front().key);
}

std::optional<std::pair<double, double>> schedule_range(const Node& schedule) {
  if (!is_known_here(schedule)) return std::nullopt;
  try {
    return registry<Schedule>().make(TypeOf<Choice<Schedule>>::read(schedule))->range();
  } catch (const DataError&) {
    return std::nullopt;  // said when the file is needed; a prediction may never need it
  }
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
