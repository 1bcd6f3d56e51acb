// Linear warm-up to the peak, half a cosine down to the floor, the floor from there on.
#include "hearth/schedule/schedules/cosine.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hearth/config/registry.h"

namespace hearth {

namespace {

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

}  // namespace hearth
