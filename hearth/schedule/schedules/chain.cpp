// Schedules one after another, each on a clock that starts with it.
#include "hearth/schedule/schedules/chain.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class Chain : public Schedule {
 public:
  using Options = ChainOptions;
  explicit Chain(const Options& options) : options_(options), of_(options.of) {}

  double value(const Moment& moment) const override {
    const size_t part = part_at(moment.step, moment.length);
    return of_[part].at(moment_from(start_of(part, moment.length), moment));
  }
  std::pair<double, double> range() const override { return of_.range(); }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    std::vector<int64_t> steps;
    for (size_t i = 0; i < of_.size(); ++i)
      for (const int64_t step : of_[i].changes(length_of(i, length)))
        steps.push_back(start_of(i, length) + step);
    return steps_within(std::move(steps), length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    std::vector<std::string> said;
    for (size_t i = 0; i < of_.size(); ++i) {
      if (i > 0 && start_of(i, length) >= length.total_steps)
        said.push_back(said_beyond("at", options_.at[i - 1], length,
                                   "of[" + std::to_string(i) + "] is never reached"));
      else
        for (const std::string& sentence : of_[i].unreached(length_of(i, length)))
          said.push_back("of[" + std::to_string(i) + "]: " + sentence);
    }
    return said;
  }

 private:
  [[nodiscard]] int64_t start_of(size_t part, const TrainingLength& length) const {
    return part == 0 ? 0 : options_.at[part - 1].steps(length);
  }
  [[nodiscard]] TrainingLength length_of(size_t part, const TrainingLength& length) const {
    return length_from(start_of(part, length), length);
  }
  [[nodiscard]] size_t part_at(int64_t step, const TrainingLength& length) const {
    size_t part = of_.size() - 1;
    while (part > 0 && step < start_of(part, length)) --part;
    return part;
  }

  Options options_;
  ScheduledList of_;
};

}  // namespace

const Schema<ChainOptions>& ChainOptions::schema() {
  using O = ChainOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of",
                 "Schedules and numbers. The times of each count from its beginning, and 100% is "
                 "the end of the run.",
                 required(), not_empty())
          .field(&O::at, "at", "When each next one begins: one time fewer than `of`.")
          .check("'at' must hold exactly one time fewer than 'of'.",
                 [](const O& options) { return options.at.size() + 1 == options.of.size(); })
          .check("'at' must hold times that rise.", [](const O& options) {
            return std::adjacent_find(options.at.begin(), options.at.end(),
                                      [](const Time& left, const Time& right) {
                                        return left.unit == right.unit && left.value >= right.value;
                                      }) == options.at.end();
          });
  return schema;
}

Choice<Schedule> chain(ChainOptions options) { return choose<Schedule>("chain", options); }

void register_chain(Registry<Schedule>& registry) {
  registry.add<Chain>("chain", "Schedules one after another, each on a clock of its own.");
}

}  // namespace hearth::schedules
