// Numbers that may be schedules: how options hold them and how a training asks them.
#include "hearth/schedule/schedule.h"

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

}  // namespace hearth
