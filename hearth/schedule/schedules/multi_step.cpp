// A staircase: the value is multiplied by a factor at each of some times.
#include "hearth/schedule/schedules/multi_step.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class MultiStep : public Schedule {
 public:
  using Options = MultiStepOptions;
  explicit MultiStep(const Options& options) : options_(options) {}

  double value(const Moment& moment) const override {
    const auto is_past = [&](const Time& time) { return moment.step >= time.steps(moment.length); };
    const auto count = std::count_if(options_.at.begin(), options_.at.end(), is_past);
    return options_.first * std::pow(options_.factor, static_cast<double>(count));
  }
  std::pair<double, double> range() const override {
    const auto count = static_cast<double>(options_.at.size());
    return std::minmax(options_.first, options_.first * std::pow(options_.factor, count));
  }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    std::vector<int64_t> steps;
    for (const Time& time : options_.at) steps.push_back(time.steps(length));
    return steps_within(std::move(steps), length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    std::vector<std::string> said;
    for (const Time& time : options_.at)
      if (time.steps(length) >= length.total_steps)
        said.push_back(said_beyond("at", time, length, "that change is never reached"));
    return said;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MultiStepOptions>& MultiStepOptions::schema() {
  using O = MultiStepOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::first, "first", "The value at the start.")
          .field(&O::factor, "factor", "What it is multiplied by at each of the times.", above(0))
          .field(&O::at, "at", "The times, such as [30ep, 60ep].", required(), not_empty());
  return schema;
}

Choice<Schedule> multi_step(MultiStepOptions options) {
  return choose<Schedule>("multi_step", options);
}

void register_multi_step(Registry<Schedule>& registry) {
  registry.add<MultiStep>("multi_step",
                          "A staircase: multiplied by a factor at each of some times.");
}

}  // namespace hearth::schedules
