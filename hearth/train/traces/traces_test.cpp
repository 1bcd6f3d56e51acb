// What traces that watch metrics and clocks ask for, also for values that are no finite number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/run_fixture.h"
#include "hearth/train/traces/best_model.h"
#include "hearth/train/traces/early_stopping.h"
#include "hearth/train/traces/restore_on_plateau.h"
#include "hearth/train/traces/time_budget.h"

namespace hearth {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is asked of a run in which the trace's metric takes these values, epoch by epoch.
std::string asked_by(const Choice<Trace>& choice, const std::vector<double>& values) {
  const auto trace = registry<Trace>().make(choice);
  FakeRun run(trace->monitors());
  run.begin(*trace);
  for (const double value : values) run.run_epoch(*trace, value);
  run.end(*trace);
  return run.log();
}

TEST(EarlyStopping, SaysInWordsThatTheMetricWasNeverFinite) {
  EXPECT_EQ(asked_by(traces::early_stopping({.patience = 2}), {kNan, kInfinity}),
            "stop eval/loss has not improved for 2 epochs; it was never a finite number.; ");
}

TEST(EarlyStopping, NamesTheBestFiniteValue) {
  EXPECT_EQ(asked_by(traces::early_stopping({.patience = 2}), {kNan, 0.5, -kInfinity, kNan}),
            "stop eval/loss has not improved for 2 epochs; the best was 0.5.; ");
}

TEST(EarlyStopping, RemembersThroughACheckpointThatTheMetricWasNotFinite) {
  const auto before = registry<Trace>().make(traces::early_stopping({.patience = 2}));
  const auto after = registry<Trace>().make(traces::early_stopping({.patience = 2}));
  FakeRun run(before->monitors());
  run.run_epoch(*before, kNan);
  after->restore(Json::parse(before->state().dump()));
  run.run_epoch(*after, kNan);
  EXPECT_THAT(run.log(), testing::HasSubstr("it was never a finite number"));
}

TEST(BestModel, NeverSavesForAValueThatIsNotFinite) {
  EXPECT_EQ(asked_by(traces::best_model(), {-kInfinity, 2, kNan, 1, -kInfinity}),
            "save best; save best; ");
}

// After 4, 8, ... steps; of the two best, 2 at step 12 and 3 at step 8 are left.
TEST(BestModel, KeepsTheBestFewUnderTheNamesOfTheirSteps) {
  EXPECT_EQ(asked_by(traces::best_model({.keep = 2}), {5, 3, 2, 4, kNan}),
            "save best-step-4; save best; save best-step-8; save best; save best-step-12; remove "
            "best-step-4; save best; ");
}

TEST(BestModel, AddsUpSeveralMetrics) {
  const auto trace = registry<Trace>().make(
      traces::best_model({.monitor = "eval/loss", .with = {{"eval/other", -2}}}));
  EXPECT_THAT(trace->monitors(), testing::ElementsAre("eval/loss", "eval/other"));
  FakeRun run(trace->monitors());
  for (const double value : {1.0, 2.0, 1.5}) run.run_epoch(*trace, value);  // -1, -2, -1.5
  EXPECT_EQ(run.log(), "save best; save best; ");
}

// The parameters of FakeRun are 1 + step / 2.
TEST(RestoreOnPlateau, GoesBackToTheBestWeightsWithASmallerRate) {
  const std::string log = asked_by(traces::restore_on_plateau({.patience = 2, .lr_factor = 0.5}),
                                   {3, 2, kNan, 2, 2, 2, 1});
  EXPECT_THAT(log, testing::StartsWith("restore 5; rate  * 0.5; "));
  EXPECT_THAT(log, testing::HasSubstr("back to the weights of step 8, where it was 2"));
  EXPECT_THAT(log, testing::HasSubstr("restore 5; rate  * 0.25; "));
}

TEST(RestoreOnPlateau, LeavesRatesThatAreSmallEnough) {
  const std::string log =
      asked_by(traces::restore_on_plateau({.patience = 1, .lr_factor = 0.5, .min_lr_factor = 0.5}),
               {1, 1, 1});
  EXPECT_THAT(log, testing::HasSubstr("restore 3; rate  * 0.5; "));
  EXPECT_THAT(log, testing::Not(testing::HasSubstr("0.25")));
}

// An epoch of FakeRun takes a second.
TEST(TimeBudget, StopsAfterTheLastEpochThatFits) {
  EXPECT_EQ(asked_by(traces::time_budget({.minutes = 3.5 / 60}), {1, 1, 1}),
            "stop 3.0s of the time budget of 0.058333333333333334 minutes are used, and an epoch "
            "takes 1.0s.; ");
}

TEST(TimeBudget, PausesAtTheStepAtWhichItIsOver) {
  const auto trace =
      registry<Trace>().make(traces::time_budget({.minutes = 0.025, .whole_epochs = false}));
  FakeRun run({});
  run.begin(*trace);
  for (int i = 0; i < 5; ++i) run.run_step(*trace);
  EXPECT_EQ(run.log(), "");
  run.run_step(*trace);
  EXPECT_THAT(run.log(),
              testing::StartsWith("pause the 0.025 minutes of the time budget are over"));
}

TEST(BestModel, SaysWhenThereIsNoBestAtAll) {
  EXPECT_EQ(asked_by(traces::best_model(), {kNan, kNan}),
            "notice eval/loss was never a finite number, so there is no checkpoint 'best'.; ");
  EXPECT_EQ(asked_by(traces::best_model(), {}), "");
}

}  // namespace
}  // namespace hearth
