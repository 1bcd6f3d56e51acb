// A schedule that a program computes.
#include "hearth/schedule/code_schedules.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/schedule/scheduled_list.h"

namespace hearth::schedules {
namespace {

class ComputedSchedule : public Schedule {
 public:
  ComputedSchedule(std::string name, std::shared_ptr<const CodeSchedule> code)
      : name_(std::move(name)), code_(std::move(code)) {}

  double value(const Moment& moment) const override {
    const double value = code_->value(moment);
    if (value >= code_->least && value <= code_->most) return value;
    throw ConfigError("the schedule " + quote(name_) + " is " + shortest_number(value) +
                      " at step " + std::to_string(moment.step) + ", but it was said to keep " +
                      "within " + shortest_number(code_->least) + " and " +
                      shortest_number(code_->most) + ". Say another `least` or `most`.");
  }
  std::pair<double, double> range() const override { return {code_->least, code_->most}; }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    std::vector<int64_t> steps = {0};
    for (const Time& time : code_->changes) steps.push_back(time.steps(length));
    return steps_within(std::move(steps), length);
  }

 private:
  std::string name_;
  std::shared_ptr<const CodeSchedule> code_;
};

}  // namespace

Choice<Schedule> lambda(const std::string& name, CodeSchedule schedule) {
  if (!schedule.value) throw ConfigError("the schedule " + quote(name) + " needs a function.");
  const auto shared = std::make_shared<const CodeSchedule>(std::move(schedule));
  registry<Schedule>().add(name, "A schedule that the program brings along.", [name, shared] {
    return std::make_unique<ComputedSchedule>(name, shared);
  });
  return {name, Node::map()};
}

}  // namespace hearth::schedules
