// A staircase: one value first, and each next from its time on.
#include "hearth/schedule/schedules/piecewise.h"

#include <algorithm>
#include <utility>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"

namespace hearth::schedules {

namespace {

class Piecewise : public Schedule {
 public:
  using Options = PiecewiseOptions;
  explicit Piecewise(const Options& options)
      : values_(options.pieces.empty() ? options.values : values_of(options.pieces)),
        at_(options.pieces.empty() ? options.at : changes_of(options.pieces)) {}

  double value(const Moment& moment) const override {
    size_t piece = at_.size();
    while (piece > 0 && moment.step < at_[piece - 1].steps(moment.length)) --piece;
    return values_[piece].at(moment);
  }

  std::pair<double, double> range() const override { return values_.range(); }

  std::vector<std::string> unreached(const TrainingLength& length) const override {
    std::vector<std::string> said = values_.unreached("values", length);
    int64_t before = -1;
    for (size_t i = 0; i < at_.size(); ++i) {
      const int64_t step = at_[i].steps(length);
      const std::string change = "the value " + values_[i + 1].said() + " at " + at_[i].text() +
                                 " would begin at step " + std::to_string(step);
      if (step >= length.total_steps)
        said.push_back(change + ", but the run ends after " + std::to_string(length.total_steps) +
                       " steps.");
      else if (step <= before)
        said.push_back(change + ", not after the change before it at step " +
                       std::to_string(before) + ".");
      before = step;
    }
    return said;
  }

  std::vector<int64_t> changes(const TrainingLength& length) const override {
    std::vector<int64_t> steps = values_.changes(length);
    for (const Time& time : at_) steps.push_back(time.steps(length));
    return steps_within(std::move(steps), length);
  }

 private:
  using Pieces = std::vector<std::pair<Time, Scheduled>>;
  static std::vector<Scheduled> values_of(const Pieces& pieces) {
    std::vector<Scheduled> values;
    for (const auto& [time, value] : pieces) values.push_back(value);
    return values;
  }
  // The first piece is there from the start.
  static std::vector<Time> changes_of(const Pieces& pieces) {
    std::vector<Time> times;
    for (size_t i = 1; i < pieces.size(); ++i) times.push_back(pieces[i].first);
    return times;
  }

  ScheduledList values_;
  std::vector<Time> at_;
};

// Times of different units can be compared only when the training's length is known.
bool is_later(const Time& time, const Time& before) {
  return before.unit != time.unit || before.value < time.value;
}

bool piecewise_times_rise(const std::vector<Time>& times) {
  return std::adjacent_find(times.begin(), times.end(), [](const Time& left, const Time& right) {
           return !is_later(right, left);
         }) == times.end();
}

std::vector<Time> times_of(const PiecewiseOptions& options) {
  std::vector<Time> times;
  for (const auto& [time, value] : options.pieces) times.push_back(time);
  return times;
}

bool has_one_form(const PiecewiseOptions& options) {
  return options.pieces.empty() || (options.at.empty() && options.values.size() == 1);
}

bool starts_at_once(const PiecewiseOptions& options) {
  return options.pieces.empty() || options.pieces.front().first.value == 0;
}

}  // namespace

const Schema<PiecewiseOptions>& PiecewiseOptions::schema() {
  using O = PiecewiseOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::values, "values",
                 "The value of each piece, in order; an older form of times with values.",
                 not_empty())
          .field(&O::at, "at", "When each next piece begins: one time fewer than values.")
          .by_time(&O::pieces,
                   "Times with the values that hold from then on, such as `0ep: 16, 10ep: 32`; the "
                   "first is 0. A value may be a schedule, which goes by the time of the run.")
          .check(
              "give times with their values, such as `0ep: 16, 10ep: 32`, or 'values' with "
              "'at', but not both.",
              has_one_form)
          .check("the first time must be 0, such as 0ep: what would hold before it?",
                 starts_at_once)
          .check("'at' must hold exactly one time fewer than 'values'.",
                 [](const O& options) { return options.at.size() + 1 == options.values.size(); })
          .check("'at' must hold times that rise.",
                 [](const O& options) { return piecewise_times_rise(options.at); })
          .check("its times must rise from line to line.",
                 [](const O& options) { return piecewise_times_rise(times_of(options)); });
  return schema;
}

Choice<Schedule> piecewise(PiecewiseOptions options) {
  return choose<Schedule>("piecewise", options);
}

void register_piecewise(Registry<Schedule>& registry) {
  registry.add<Piecewise>("piecewise", "One value after another, each for a stretch of training.");
}

}  // namespace hearth::schedules
