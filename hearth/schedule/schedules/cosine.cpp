// Linear warm-up to the peak, half a cosine down to the floor, the floor from there on.
#include "hearth/schedule/schedules/cosine.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "hearth/config/registry.h"

namespace hearth::schedules {

namespace {

std::string said_steps(const std::string& option, const Time& time, int64_t steps) {
  return option + " " + time.text() + " takes " + std::to_string(steps) + " steps";
}

class Cosine : public Schedule {
 public:
  using Options = CosineOptions;
  explicit Cosine(const Options& options) : options_(options) {}

  // The first step already moves, and the last step of the warm-up is at the peak.
  double value(const Moment& moment) const override {
    const int64_t warmup = options_.warmup.steps(moment.length);
    const int64_t end = options_.length.steps(moment.length);
    if (moment.step < warmup)
      return options_.peak * static_cast<double>(moment.step + 1) / static_cast<double>(warmup);
    if (moment.step >= end) return options_.floor;
    const double done =
        static_cast<double>(moment.step - warmup) / static_cast<double>(end - warmup);
    return options_.floor +
           (options_.peak - options_.floor) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }

  // A warm-up starts at 0.
  std::pair<double, double> range() const override {
    const auto [low, high] = std::minmax(options_.peak, options_.floor);
    return {options_.warmup.value > 0 ? std::min(low, 0.0) : low, high};
  }

  std::vector<std::string> unreached(const TrainingLength& length) const override {
    const int64_t warmup = options_.warmup.steps(length);
    const int64_t end = options_.length.steps(length);
    if (warmup > length.total_steps)
      return {said_steps("warmup", options_.warmup, warmup) + ", but the run ends after " +
              std::to_string(length.total_steps) + ", so the peak is never reached."};
    if (warmup > 0 && warmup >= end)
      return {said_steps("warmup", options_.warmup, warmup) + ", but length " +
              options_.length.text() + " ends it after " + std::to_string(end) +
              ", so nothing is left for the cosine."};
    if (end > length.total_steps)
      return {said_steps("length", options_.length, end) + ", but the run ends after " +
              std::to_string(length.total_steps) + ", so the floor is never reached."};
    return {};
  }

  std::vector<int64_t> changes(const TrainingLength& length) const override {
    const int64_t warmup = options_.warmup.steps(length);
    const int64_t end = std::max(warmup, options_.length.steps(length));
    std::vector<int64_t> steps = {0};
    for (const int64_t step : {warmup, end})
      if (step > steps.back() && step < length.total_steps) steps.push_back(step);
    return steps;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<CosineOptions>& CosineOptions::schema() {
  using O = CosineOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::peak, "peak", "The highest value, reached at the end of the warm-up.")
          .field(&O::warmup, "warmup", "How long the value rises from 0 to the peak, in a line.")
          .field(&O::floor, "floor", "The lowest value, reached at the end.")
          .field(&O::length, "length", "When the floor is reached, counted from the start.")
          .check("'warmup' must be shorter than 'length'.", [](const O& options) {
            return options.warmup.unit != options.length.unit ||
                   options.warmup.value < options.length.value;
          });
  return schema;
}

Choice<Schedule> cosine(CosineOptions options) { return choose<Schedule>("cosine", options); }

void register_cosine(Registry<Schedule>& registry) {
  registry.add<Cosine>("cosine", "Rises in a line, then falls along half a cosine.");
}

}  // namespace hearth::schedules
