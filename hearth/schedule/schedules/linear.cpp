// The first value until the start, a straight line from there to the end, the last value after it.
#include "hearth/schedule/schedules/linear.h"

#include <algorithm>

#include "hearth/config/registry.h"

namespace hearth::schedules {
namespace {

class Linear : public Schedule {
 public:
  using Options = LinearOptions;
  explicit Linear(const Options& options) : options_(options) {}

  double value(const Moment& moment) const override {
    const int64_t start = options_.start.steps(moment.length);
    const int64_t end = options_.end.steps(moment.length);
    if (moment.step >= end) return options_.last;
    if (moment.step <= start) return options_.first;
    const double done = static_cast<double>(moment.step - start) / static_cast<double>(end - start);
    return options_.first + (options_.last - options_.first) * done;
  }

  std::pair<double, double> range() const override {
    return std::minmax(options_.first, options_.last);
  }

  std::vector<std::string> unreached(const TrainingLength& length) const override {
    const int64_t start = options_.start.steps(length);
    const int64_t end = options_.end.steps(length);
    if (start >= end)
      return {"start " + options_.start.text() + " is step " + std::to_string(start) +
              ", but end " + options_.end.text() + " is step " + std::to_string(end) +
              ", so nothing is left for the line."};
    if (end > length.total_steps)
      return {"end " + options_.end.text() + " is step " + std::to_string(end) +
              ", but the run ends after " + std::to_string(length.total_steps) +
              ", so the last value is never reached."};
    return {};
  }

  std::vector<int64_t> changes(const TrainingLength& length) const override {
    const int64_t end = options_.end.steps(length);
    const int64_t start = std::min(options_.start.steps(length), end);
    std::vector<int64_t> steps = {0};
    for (const int64_t step : {start, end})
      if (step > steps.back() && step < length.total_steps) steps.push_back(step);
    return steps;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LinearOptions>& LinearOptions::schema() {
  using O = LinearOptions;
  static const auto schema = Schema<O>()
                                 .field(&O::first, "first", "The value up to the start.")
                                 .field(&O::last, "last", "The value from the end on.")
                                 .field(&O::start, "start", "When the line begins.")
                                 .field(&O::end, "end", "When the line ends.")
                                 .check("'start' must come before 'end'.", [](const O& options) {
                                   return options.start.unit != options.end.unit ||
                                          options.start.value < options.end.value;
                                 });
  return schema;
}

Choice<Schedule> linear(LinearOptions options) { return choose<Schedule>("linear", options); }

void register_linear(Registry<Schedule>& registry) {
  registry.add<Linear>("linear", "A straight line from one value to another.");
}

}  // namespace hearth::schedules
