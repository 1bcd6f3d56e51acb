// A straight rise to where another schedule begins, and then that one, on a clock of its own.
#include "hearth/schedule/schedules/warmup.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class Warmup : public Schedule {
 public:
  using Options = WarmupOptions;
  explicit Warmup(const Options& options) : options_(options), of_(options.of) {}

  double value(const Moment& moment) const override {
    const int64_t length = options_.length.steps(moment.length);
    if (moment.step >= length) return of_.at(moment_from(length, moment));
    const Moment begin{length, 0, moment.length};
    return of_.at(moment_from(length, begin)) * share(moment.step, length);
  }
  std::pair<double, double> range() const override {
    const auto [low, high] = of_.range();
    const double least = options_.start.value_or(0);
    return std::minmax({low, high, low * least, high * least});
  }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    const int64_t begin = options_.length.steps(length);
    std::vector<int64_t> steps;
    for (const int64_t step : of_.changes(length_from(begin, length)))
      steps.push_back(begin + step);
    return steps_within(std::move(steps), length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    const int64_t begin = options_.length.steps(length);
    if (begin >= length.total_steps)
      return {said_beyond("length", options_.length, length, "nothing is left for what follows")};
    std::vector<std::string> said;
    for (const std::string& sentence : of_.unreached(length_from(begin, length)))
      said.push_back("of: " + sentence);
    return said;
  }

 private:
  // Of the value that follows.
  [[nodiscard]] double share(int64_t step, int64_t length) const {
    if (!options_.start) return static_cast<double>(step + 1) / static_cast<double>(length);
    const double done = static_cast<double>(step) / static_cast<double>(length);
    return *options_.start + (1 - *options_.start) * done;
  }

  Options options_;
  ScheduledValue of_;
};

}  // namespace

const Schema<WarmupOptions>& WarmupOptions::schema() {
  using O = WarmupOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of",
                 "The value or schedule that follows. Its times count from the end of the warm-up, "
                 "and 100% is the end of the run.",
                 required())
          .field(&O::length, "length", "How long the value rises.", above(0))
          .field(
              &O::start, "start",
              "Share of the value that follows at which it starts. Left out: one step's part, so "
              "that the last step of the warm-up is at the full value.",
              at_least(0), at_most(1));
  return schema;
}

Choice<Schedule> warmup(WarmupOptions options) { return choose<Schedule>("warmup", options); }

void register_warmup(Registry<Schedule>& registry) {
  registry.add<Warmup>("warmup", "A rise in a line, in front of any schedule.");
}

}  // namespace hearth::schedules
