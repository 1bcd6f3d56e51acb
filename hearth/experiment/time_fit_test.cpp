// Windows and schedules held against the length of a run.
#include "hearth/experiment/time_fit.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/schedule/schedules/cosine.h"
#include "hearth/schedule/schedules/exponential.h"
#include "hearth/schedule/schedules/piecewise.h"

namespace hearth {
namespace {

constexpr TrainingLength kLength = {.steps_per_epoch = 23, .total_steps = 46, .batch_size = 64};

Choice<SampleOp> random_shift() { return {"random_shift", Node::map()}; }

TimeFit fit_of(const Choice<SampleOp>& op) {
  ExperimentOptions options;
  options.data.ops = {op};
  return time_fit(options, kLength);
}

std::string only_warning(const TimeFit& fit) {
  EXPECT_TRUE(fit.faults.empty());
  EXPECT_EQ(fit.warnings.size(), 1U);
  return fit.warnings.empty() ? "" : fit.warnings[0].text();
}

TEST(TimeFit, SaysNothingOfWhatFits) {
  const TimeFit fit = fit_of(random_shift().from(epochs(1)).until(percent(100)));
  EXPECT_TRUE(fit.faults.empty());
  EXPECT_TRUE(fit.warnings.empty());
}

TEST(TimeFit, WarnsOfAnOpThatStartsAfterTheEnd) {
  EXPECT_EQ(only_warning(fit_of(random_shift().from(epochs(2)))),
            "data.ops[0].random_shift.from: 2ep (step 46) is when it starts, but the run ends "
            "after 46 steps, so it never runs. Start it earlier, or train longer.");
}

TEST(TimeFit, LetsAWindowLieWithinAnEpoch) {
  const TimeFit fit = fit_of(random_shift().from(steps(2)).until(steps(9)).every(steps(3)));
  EXPECT_TRUE(fit.faults.empty());
  EXPECT_TRUE(fit.warnings.empty());
}

std::string only_fault(const TimeFit& fit) {
  EXPECT_EQ(fit.faults.size(), 1U);
  return fit.faults.empty() ? "" : fit.faults[0].text();
}

TEST(TimeFit, RefusesARepetitionThatCannotBe) {
  EXPECT_EQ(only_fault(fit_of(random_shift().every(steps(0)))),
            "data.ops[0].random_shift.every: 0st is no step at all. Use at least 1st or 1ep.");
  EXPECT_EQ(only_fault(fit_of(random_shift().offset(steps(2)))),
            "data.ops[0].random_shift.offset: says when the first turn is, but there is no 'every' "
            "beside it. Use 'from' for a start.");
  EXPECT_EQ(only_fault(fit_of(random_shift().every(epochs(2)).offset(steps(1)))),
            "data.ops[0].random_shift.offset: 1st and every: 2ep must be both in epochs, or "
            "neither.");
}

TEST(TimeFit, WarnsOfAFirstTurnAfterTheEnd) {
  EXPECT_EQ(only_warning(fit_of(random_shift().every(epochs(5)).offset(epochs(4)))),
            "data.ops[0].random_shift.offset: 4ep (step 92) is its first turn, but the run ends "
            "after 46 steps, so it never runs. Start it earlier, or train longer.");
}

TEST(TimeFit, RefusesAnEndBeforeTheStart) {
  const TimeFit fit = fit_of(random_shift().from(epochs(1)).until(steps(5)));
  ASSERT_EQ(fit.faults.size(), 1U);
  EXPECT_EQ(fit.faults[0].text(),
            "data.ops[0].random_shift.until: 5st (step 5) is when it stops, not after 1ep (step "
            "23), when it starts, so it never runs.");
}

TEST(TimeFit, WarnsOfWhatAScheduleNeverReaches) {
  EXPECT_EQ(only_warning(fit_of(random_shift().with(
                "pixels", schedules::cosine({.peak = 2, .warmup = steps(50)})))),
            "data.ops[0].random_shift.pixels.cosine: warmup 50st takes 50 steps, but the run ends "
            "after 46, so the peak is never reached.");
  EXPECT_EQ(only_warning(fit_of(random_shift().with(
                "pixels", schedules::piecewise({.values = {1, 2}, .at = {epochs(9)}})))),
            "data.ops[0].random_shift.pixels.piecewise: the value 2 at 9ep would begin at step "
            "207, but the run ends after 46 steps.");
}

TEST(TimeFit, RefusesASchedulesValueThatIsNotFiniteAtItsFirstStep) {
  const auto growing = [](double factor) {
    return schedules::exponential({.first = 1, .factor = factor, .every = steps(1)});
  };
  EXPECT_TRUE(fit_of(random_shift().with("pixels", growing(1e6))).faults.empty());
  EXPECT_EQ(only_fault(fit_of(random_shift().with("pixels", growing(1e100)))),
            "data.ops[0].random_shift.pixels: is infinite at step 4, but the run has 46. Use "
            "smaller numbers, or train shorter.");
  const Scheduled falling(schedules::piecewise({.values = {0, 1}, .at = {steps(9)}}));
  EXPECT_EQ(only_fault(fit_of(random_shift().with("pixels", growing(1e100) * falling))),
            "data.ops[0].random_shift.pixels: is no number at step 4, but the run has 46. Use "
            "smaller numbers, or train shorter.");
}

TimeFit fit_of_group(const ParameterGroup& group) {
  ExperimentOptions options;
  options.models["net"].groups = {group};
  return time_fit(options, kLength);
}

TEST(TimeFit, HoldsGroupsOfParametersAgainstTheRun) {
  EXPECT_TRUE(fit_of_group({.match = {"*"}, .from = steps(2), .until = steps(9)}).faults.empty());
  EXPECT_EQ(only_warning(fit_of_group({.match = {"*"}, .from = epochs(2)})),
            "models.net.groups[0].from: 2ep (step 46) is when it comes into force, but the run "
            "ends after 46 steps, so it never does. Start it earlier, or train longer.");
  const TimeFit fit = fit_of_group({.match = {"*"}, .from = steps(5), .until = steps(5)});
  ASSERT_EQ(fit.faults.size(), 1U);
  EXPECT_EQ(
      fit.faults[0].text(),
      "models.net.groups[0].until: 5st (step 5) is when it ends, not after 5st (step 5), when "
      "it comes into force, so it never does.");
}

TEST(TimeFit, RefusesMinutesWhereStepsCount) {
  EXPECT_THROW((void)fit_of(random_shift().from(minutes(1))), ConfigError);
}

}  // namespace
}  // namespace hearth
