// One cycle: up to the peak, down far below the first value.
#include "hearth/schedule/schedules/one_cycle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class OneCycle : public Schedule {
 public:
  using Options = OneCycleOptions;
  explicit OneCycle(const Options& options) : options_(options) {}

  // The last step of the cycle has the last value.
  double value(const Moment& moment) const override {
    const auto total = static_cast<double>(options_.length.steps(moment.length));
    const auto step = static_cast<double>(moment.step);
    double begin = 0;
    double from = first();
    for (const auto& [end, to] : phases(total)) {
      if (step <= end) return between(from, to, end > begin ? (step - begin) / (end - begin) : 1);
      begin = end;
      from = to;
    }
    return from;
  }
  std::pair<double, double> range() const override {
    return std::minmax({options_.peak, first(), last()});
  }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    std::vector<int64_t> steps;
    for (const auto& [end, to] : phases(static_cast<double>(options_.length.steps(length))))
      steps.push_back(static_cast<int64_t>(std::max(end, 0.0)));
    return steps_within(std::move(steps), length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    if (options_.length.steps(length) <= length.total_steps) return {};
    return {said_beyond("length", options_.length, length, "the cycle is never finished")};
  }

 private:
  [[nodiscard]] double first() const { return options_.peak / options_.first_divisor; }
  [[nodiscard]] double last() const { return first() / options_.last_divisor; }
  // Where each phase ends, and with which value.
  [[nodiscard]] std::vector<std::pair<double, double>> phases(double total) const {
    const double rise = options_.rise * total;
    if (!options_.three_phases) return {{rise - 1, options_.peak}, {total - 1, last()}};
    return {{rise - 1, options_.peak}, {2 * rise - 2, first()}, {total - 1, last()}};
  }
  [[nodiscard]] double between(double from, double to, double done) const {
    if (options_.shape == "linear") return from + (to - from) * done;
    return to + (from - to) / 2 * (1 + std::cos(std::numbers::pi * done));
  }

  Options options_;
};

}  // namespace

const Schema<OneCycleOptions>& OneCycleOptions::schema() {
  using O = OneCycleOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::peak, "peak", "The highest value.")
          .field(&O::length, "length", "How long the cycle takes; then the last value stays.",
                 above(0))
          .field(&O::rise, "rise", "Share of the cycle in which the value rises.", above(0),
                 below(1))
          .field(&O::first_divisor, "first_divisor", "The first value is the peak over this.",
                 above(0))
          .field(&O::last_divisor, "last_divisor", "The last value is the first over this.",
                 above(0))
          .field(&O::shape, "shape", "How it goes from value to value.",
                 one_of({"cosine", "linear"}))
          .field(&O::three_phases, "three_phases",
                 "Fall to the first value as fast as it rose, and only then to the last.")
          .check("rise must be below 0.5 with three_phases: it falls as long as it rises.",
                 [](const O& options) { return !options.three_phases || options.rise < 0.5; });
  return schema;
}

Choice<Schedule> one_cycle(OneCycleOptions options) {
  return choose<Schedule>("one_cycle", options);
}

void register_one_cycle(Registry<Schedule>& registry) {
  registry.add<OneCycle>("one_cycle", "Up to a peak, and down far below the start; once.");
}

}  // namespace hearth::schedules
