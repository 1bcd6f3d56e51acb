// A schedule is a pure function of time; an option of type Scheduled holds a number or a schedule.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/registry.h"
#include "hearth/config/time.h"

namespace hearth {

class Schedule {
 public:
  virtual ~Schedule() = default;
  [[nodiscard]] virtual double value(const Moment& moment) const = 0;
  // Steps at which the value starts to behave differently; warm-up visits each of them.
  [[nodiscard]] virtual std::vector<int64_t> changes(const TrainingLength& length) const = 0;
};

// A number, or a schedule that gives one. Converts from both, so that `.lr = 0.1` and
// `.lr = cosine({...})` read the same.
class Scheduled {
 public:
  Scheduled(double value = 0) : value_(value) {}                            // NOLINT: implicit
  Scheduled(Choice<Schedule> schedule) : schedule_(std::move(schedule)) {}  // NOLINT: implicit
  [[nodiscard]] bool is_constant() const { return schedule_.is_empty(); }
  [[nodiscard]] double constant() const { return value_; }
  [[nodiscard]] const Choice<Schedule>& schedule() const { return schedule_; }

 private:
  double value_ = 0;
  Choice<Schedule> schedule_;
};

// A Scheduled made ready to be asked at every step.
class ScheduledValue {
 public:
  explicit ScheduledValue(const Scheduled& scheduled);
  [[nodiscard]] double at(const Moment& moment) const;
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const;

 private:
  double value_;
  std::shared_ptr<const Schedule> schedule_;
};

template <>
struct TypeOf<Scheduled> {
  static Type type();
  static Scheduled read(const Node& node);
  static Node write(const Scheduled& value);
};

}  // namespace hearth
