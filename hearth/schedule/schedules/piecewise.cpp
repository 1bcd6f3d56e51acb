// A staircase: values[0] first, values[i + 1] from at[i] on.
#include "hearth/schedule/schedules/piecewise.h"

#include <algorithm>
#include <utility>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::schedules {

namespace {

class Piecewise : public Schedule {
 public:
  using Options = PiecewiseOptions;
  explicit Piecewise(Options options) : options_(std::move(options)) {}

  double value(const Moment& moment) const override {
    size_t piece = options_.at.size();
    while (piece > 0 && moment.step < options_.at[piece - 1].steps(moment.length)) --piece;
    return options_.values[piece];
  }

  std::pair<double, double> range() const override {
    const auto [low, high] = std::minmax_element(options_.values.begin(), options_.values.end());
    return {*low, *high};
  }

  std::vector<std::string> unreached(const TrainingLength& length) const override {
    std::vector<std::string> said;
    int64_t before = -1;
    for (size_t i = 0; i < options_.at.size(); ++i) {
      const int64_t step = options_.at[i].steps(length);
      const std::string change = "the value " + shortest_number(options_.values[i + 1]) + " at " +
                                 options_.at[i].text() + " would begin at step " +
                                 std::to_string(step);
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
    std::vector<int64_t> steps = {0};
    for (const Time& time : options_.at)
      if (const int64_t step = time.steps(length); step > steps.back() && step < length.total_steps)
        steps.push_back(step);
    return steps;
  }

 private:
  Options options_;
};

// Times of different units can be compared only when the training's length is known.
bool piecewise_times_rise(const PiecewiseOptions& options) {
  for (size_t i = 1; i < options.at.size(); ++i) {
    const Time& before = options.at[i - 1];
    if (before.unit == options.at[i].unit && before.value >= options.at[i].value) return false;
  }
  return true;
}

}  // namespace

const Schema<PiecewiseOptions>& PiecewiseOptions::schema() {
  using O = PiecewiseOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::values, "values", "The value of each piece, in order.", not_empty())
          .field(&O::at, "at", "When each next piece begins: one time fewer than values.")
          .check("'at' must hold exactly one time fewer than 'values'.",
                 [](const O& options) { return options.at.size() + 1 == options.values.size(); })
          .check("'at' must hold times that rise.", piecewise_times_rise);
  return schema;
}

Choice<Schedule> piecewise(PiecewiseOptions options) {
  return choose<Schedule>("piecewise", options);
}

void register_piecewise(Registry<Schedule>& registry) {
  registry.add<Piecewise>("piecewise", "One value after another, each for a stretch of training.");
}

}  // namespace hearth::schedules
