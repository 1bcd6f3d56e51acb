// values[0] for one turn, values[1] for the next, and from the first again after the last.
#include "hearth/schedule/schedules/repeat.h"

#include <algorithm>
#include <set>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

// How many epochs are searched for values that no epoch before began with.
constexpr int64_t kEpochsLookedAt = 10'000;

class Repeat : public Schedule {
 public:
  using Options = RepeatOptions;
  explicit Repeat(const Options& options) : values_(options.values), every_(options.every) {}

  double value(const Moment& moment) const override {
    return values_[index_at(moment.step, moment.length)].at(moment);
  }

  std::pair<double, double> range() const override { return values_.range(); }

  // Where each value comes first, and the first epoch that begins with it: some numbers are asked
  // only then. What follows repeats these.
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    std::vector<int64_t> steps = values_.changes(length);
    for (int64_t turn = 0; turn < count(); ++turn) steps.push_back(first_step(turn, length));
    std::set<size_t> seen;
    for (int64_t epoch = 0; epoch < kEpochsLookedAt && seen.size() < values_.size(); ++epoch) {
      const int64_t step = length.first_step(epoch);
      if (step >= length.total_steps) break;
      if (seen.insert(index_at(step, length)).second) steps.push_back(step);
    }
    return steps_within(std::move(steps), length);
  }

  std::vector<std::string> unreached(const TrainingLength& length) const override {
    std::vector<std::string> said = values_.unreached("values", length);
    if (values_.size() > 1 && first_step(1, length) == 0)
      said.push_back("every " + every_.text() + " is shorter than a step, so values are skipped.");
    for (int64_t turn = 1; turn < count(); ++turn)
      if (const int64_t step = first_step(turn, length); step >= length.total_steps)
        said.push_back("the value " + values_[static_cast<size_t>(turn)].said() +
                       " would first come at step " + std::to_string(step) +
                       ", but the run ends after " + std::to_string(length.total_steps) +
                       " steps.");
    return said;
  }

 private:
  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(values_.size()); }

  [[nodiscard]] int64_t first_step(int64_t turn, const TrainingLength& length) const {
    return turn_start(every_, turn, length);
  }

  [[nodiscard]] size_t index_at(int64_t step, const TrainingLength& length) const {
    return static_cast<size_t>(turn_at(every_, step, length) % count());
  }

  ScheduledList values_;
  Time every_;
};

}  // namespace

const Schema<RepeatOptions>& RepeatOptions::schema() {
  using O = RepeatOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::values, "values",
                 "Numbers that come one after another; after the last, the first again. One that "
                 "is a schedule goes on with the run, also while others have their turn.",
                 required(), not_empty())
          .field(&O::every, "every", "How long each has its turn, such as 1ep or 1st.", above(0));
  return schema;
}

Choice<Schedule> repeat(RepeatOptions options) { return choose<Schedule>("repeat", options); }

void register_repeat(Registry<Schedule>& registry) {
  registry.add<Repeat>("repeat", "Values that come one after another, again and again.");
}

}  // namespace hearth::schedules
