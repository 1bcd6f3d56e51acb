// Ends the training in time. The clock is read once a step, which costs nothing beside it.
#include "hearth/train/traces/time_budget.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

constexpr double kSecondsPerMinute = 60;

class TimeBudget : public Trace {
 public:
  using Options = TimeBudgetOptions;
  explicit TimeBudget(Options options) : options_(options) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kRunBegin},
            {Occasion::kEpochBegin},
            {Occasion::kBatchEnd, Mode::kTrain},
            {Occasion::kEpochEnd}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kRunBegin) begin();
    used_ = before_ + run.seconds();
    if (happening.occasion == Occasion::kEpochBegin) epoch_began_ = used_;
    if (happening.occasion == Occasion::kEpochEnd) return end_epoch(run);
    if (happening.occasion == Occasion::kBatchEnd && !options_.whole_epochs && used_ >= budget())
      run.request_pause("the " + minutes_text() +
                        " of the time budget are over. It is saved and ends; resume goes on.");
  }

  // Of the clock, and yet part of the state: what was used stays used.
  [[nodiscard]] Json state() const override {
    return {{"used", used_}, {"epoch_began", epoch_began_}, {"longest", longest_}};
  }
  void restore(const Json& state) override {
    used_ = state.at("used").get<double>();
    epoch_began_ = state.at("epoch_began").get<double>();
    longest_ = state.at("longest").get<double>();
  }

 private:
  [[nodiscard]] double budget() const { return options_.minutes * kSecondsPerMinute; }
  [[nodiscard]] std::string minutes_text() const {
    return shortest_number(options_.minutes) + " minutes";
  }

  void begin() {
    if (options_.each_process) epoch_began_ -= std::exchange(used_, 0);
    before_ = used_;
  }
  void end_epoch(RunControl& run) {
    longest_ = std::max(longest_, used_ - std::exchange(epoch_began_, used_));
    if (options_.whole_epochs && used_ + longest_ > budget())
      run.request_stop(human_seconds(used_) + " of the time budget of " + minutes_text() +
                       " are used, and an epoch takes " + human_seconds(longest_) + ".");
  }

  Options options_;
  double before_ = 0;  // seconds of earlier processes
  double used_ = 0;
  double epoch_began_ = 0;
  double longest_ = 0;  // epoch so far
};

}  // namespace

const Schema<TimeBudgetOptions>& TimeBudgetOptions::schema() {
  using O = TimeBudgetOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::minutes, "minutes", "Minutes that the training may take.", above(0))
          .field(
              &O::whole_epochs, "whole_epochs",
              "Whether it ends after the last epoch that is expected to fit; else it is saved and "
              "ends at the step at which the time is over, to be resumed.")
          .field(
              &O::each_process, "each_process",
              "Whether the time starts anew when a run is resumed, as for a queue that gives each "
              "job so much.");
  return schema;
}

Choice<Trace> time_budget(TimeBudgetOptions options) {
  return choose<Trace>("time_budget", options);
}

void register_time_budget(Registry<Trace>& registry) {
  registry.add<TimeBudget>(
      "time_budget",
      "Ends the training in time: after the last epoch that fits, or at the step when it is over.");
}

}  // namespace hearth::traces
