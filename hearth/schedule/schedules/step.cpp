// A staircase: the value is multiplied by a factor at the end of each turn.
#include "hearth/schedule/schedules/step.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/schedule/fading.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class Step : public Schedule {
 public:
  using Options = StepOptions;
  explicit Step(const Options& options) : options_(options) {}

  double value(const Moment& moment) const override {
    const int64_t turn = turn_at(options_.every, moment.step, moment.length);
    return options_.first * std::pow(options_.factor, static_cast<double>(turn));
  }
  // Powers of a factor below 1 come as near to 0 as one likes, of one above 1 as far away.
  std::pair<double, double> range() const override {
    return fading_range(options_.first, options_.factor);
  }

  std::vector<int64_t> changes(const TrainingLength& length) const override {
    return steps_within({turn_start(options_.every, 1, length)}, length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    if (turn_start(options_.every, 1, length) < length.total_steps) return {};
    return {said_beyond("every", options_.every, length, "the value never changes")};
  }

 private:
  Options options_;
};

}  // namespace

const Schema<StepOptions>& StepOptions::schema() {
  using O = StepOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::first, "first", "The value at the start.")
          .field(&O::factor, "factor", "What it is multiplied by at the end of each turn.",
                 above(0))
          .field(&O::every, "every", "How long a turn is, such as 30ep.", above(0));
  return schema;
}

Choice<Schedule> step(StepOptions options) { return choose<Schedule>("step", options); }

void register_step(Registry<Schedule>& registry) {
  registry.add<Step>("step", "A staircase: multiplied by a factor at the end of each turn.");
}

}  // namespace hearth::schedules
