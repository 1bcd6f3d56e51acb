// A schedule is a pure function of time; an option of type Scheduled holds a number or a schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/registry.h"
#include "hearth/config/time.h"

namespace hearth {

class Schedule {
 public:
  virtual ~Schedule() = default;
  [[nodiscard]] virtual double value(const Moment& moment) const = 0;
  // The least and the greatest value it ever has, however long the training is. One that is made of
  // others says what it cannot leave, and may in truth keep within less.
  [[nodiscard]] virtual std::pair<double, double> range() const = 0;
  // Steps at which the value starts to behave differently; warm-up visits each of them.
  [[nodiscard]] virtual std::vector<int64_t> changes(const TrainingLength& length) const = 0;
  // What a training of this length never gets to see of it, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> unreached(const TrainingLength& length) const {
    (void)length;
    return {};
  }
};

// Whether an option's value names a schedule that is registered.
[[nodiscard]] bool is_schedule(const Node& value);

// The range of the schedule that a config names, with absolute paths; nothing for one that is not
// registered here, or whose file cannot be read.
[[nodiscard]] std::optional<std::pair<double, double>> schedule_range(const Node& schedule);

// A number, or a schedule that gives one. Converts from both, so that `.lr = 0.1` and
// `.lr = schedules::cosine({...})` read the same.
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

// The same for whole numbers that count something, such as samples in a batch.
class ScheduledCount : public Scheduled {
 public:
  ScheduledCount(int64_t count = 0) : Scheduled(static_cast<double>(count)) {}   // NOLINT: implicit
  ScheduledCount(Choice<Schedule> schedule) : Scheduled(std::move(schedule)) {}  // NOLINT: implicit
};

// Sums and products: `0.1 * schedules::cosine({...}) + 0.01`.
[[nodiscard]] Choice<Schedule> operator+(const Scheduled& left, const Scheduled& right);
[[nodiscard]] Choice<Schedule> operator*(const Scheduled& left, const Scheduled& right);

// A Scheduled made ready to be asked at every step.
class ScheduledValue {
 public:
  explicit ScheduledValue(const Scheduled& scheduled);
  [[nodiscard]] double at(const Moment& moment) const;
  [[nodiscard]] std::pair<double, double> range() const;
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const;
  [[nodiscard]] std::vector<std::string> unreached(const TrainingLength& length) const;
  // "0.1", or "of the schedule 'cosine'": how a message speaks of it.
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  double value_;
  std::string said_;
  std::shared_ptr<const Schedule> schedule_;
};

template <>
struct TypeOf<Scheduled> {
  static Type type();
  static Scheduled read(const Node& node);
  static Node write(const Scheduled& value);
};

template <>
struct TypeOf<ScheduledCount> {
  static Type type();
  static ScheduledCount read(const Node& node);
  static Node write(const ScheduledCount& value);
};

}  // namespace hearth
