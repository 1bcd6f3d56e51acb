#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/schedule/schedules/constant.h"
#include "hearth/schedule/schedules/cosine.h"
#include "hearth/schedule/schedules/linear.h"
#include "hearth/schedule/schedules/piecewise.h"

namespace hearth {
namespace {

constexpr TrainingLength kLength{.steps_per_epoch = 50, .total_steps = 200, .batch_size = 8};

Moment at_step(int64_t step) { return {step, step / kLength.steps_per_epoch, kLength}; }

double value_at(const Scheduled& scheduled, int64_t step) {
  return ScheduledValue(scheduled).at(at_step(step));
}

using Steps = std::vector<int64_t>;

TEST(Constant, IsTheSameAtEveryStep) {
  const Scheduled scheduled = schedules::constant({.value = 0.25});
  for (const int64_t step : {0, 7, 199}) EXPECT_EQ(value_at(scheduled, step), 0.25);
  EXPECT_EQ(ScheduledValue(scheduled).changes(kLength), Steps{0});
}

TEST(Cosine, RisesInALineAndReachesThePeakWithTheLastStepOfTheWarmUp) {
  const Scheduled lr = schedules::cosine({.peak = 0.4, .warmup = steps(4)});
  EXPECT_DOUBLE_EQ(value_at(lr, 0), 0.1);
  EXPECT_DOUBLE_EQ(value_at(lr, 1), 0.2);
  EXPECT_DOUBLE_EQ(value_at(lr, 3), 0.4);
  EXPECT_DOUBLE_EQ(value_at(lr, 4), 0.4);
}

TEST(Cosine, FallsAlongHalfACosineToTheFloor) {
  const Scheduled lr = schedules::cosine({.peak = 1.0, .floor = 0.2});
  EXPECT_DOUBLE_EQ(value_at(lr, 0), 1.0);
  EXPECT_DOUBLE_EQ(value_at(lr, 100), 0.6);
  EXPECT_NEAR(value_at(lr, 50), 0.2 + 0.4 * (1 + std::numbers::sqrt2 / 2), 1e-12);
  EXPECT_NEAR(value_at(lr, 150), 0.2 + 0.4 * (1 - std::numbers::sqrt2 / 2), 1e-12);
  EXPECT_DOUBLE_EQ(value_at(lr, 200), 0.2);
  EXPECT_DOUBLE_EQ(value_at(lr, 5000), 0.2);
}

TEST(Cosine, StaysAtTheFloorAfterItsLength) {
  const Scheduled lr =
      schedules::cosine({.peak = 1.0, .warmup = epochs(1), .floor = 0.1, .length = percent(50)});
  EXPECT_DOUBLE_EQ(value_at(lr, 75), 0.55);
  EXPECT_DOUBLE_EQ(value_at(lr, 100), 0.1);
  EXPECT_DOUBLE_EQ(value_at(lr, 199), 0.1);
  EXPECT_EQ(ScheduledValue(lr).changes(kLength), (Steps{0, 50, 100}));
}

TEST(Cosine, ChangesOnlyWhereTheTrainingGoes) {
  EXPECT_EQ(ScheduledValue(schedules::cosine()).changes(kLength), Steps{0});
  EXPECT_EQ(ScheduledValue(schedules::cosine({.warmup = steps(300)})).changes(kLength), Steps{0});
}

TEST(Cosine, RefusesAWarmUpAsLongAsTheSchedule) {
  const Scheduled lr = schedules::cosine({.warmup = epochs(2), .length = epochs(2)});
  EXPECT_THROW(ScheduledValue{lr}, ConfigError);
}

TEST(LinearSchedule, GoesInALineBetweenItsTwoTimesAndStaysOutsideOfThem) {
  const Scheduled lr =
      schedules::linear({.first = 1, .last = 0.2, .start = epochs(1), .end = percent(75)});
  EXPECT_EQ(value_at(lr, 0), 1);
  EXPECT_EQ(value_at(lr, 50), 1);
  EXPECT_DOUBLE_EQ(value_at(lr, 75), 0.8);
  EXPECT_DOUBLE_EQ(value_at(lr, 100), 0.6);
  EXPECT_EQ(value_at(lr, 150), 0.2);
  EXPECT_EQ(value_at(lr, 5000), 0.2);
  EXPECT_EQ(ScheduledValue(lr).changes(kLength), (Steps{0, 50, 150}));
}

TEST(LinearSchedule, SaysWhatATrainingNeverSees) {
  const auto unreached = [](const schedules::LinearOptions& options) {
    return registry<Schedule>().make(schedules::linear(options))->unreached(kLength);
  };
  EXPECT_TRUE(unreached({}).empty());
  EXPECT_EQ(unreached({.end = epochs(5)}),
            std::vector<std::string>{"end 5ep is step 250, but the run ends after 200, so the last "
                                     "value is never reached."});
  EXPECT_EQ(
      unreached({.start = epochs(2), .end = steps(60)}),
      std::vector<std::string>{"start 2ep is step 100, but end 60st is step 60, so nothing is "
                               "left for the line."});
}

TEST(LinearSchedule, RefusesAnEndBeforeItsStart) {
  EXPECT_THROW(ScheduledValue{schedules::linear({.start = epochs(2), .end = epochs(1)})},
               ConfigError);
}

TEST(Piecewise, TakesTheNextValueExactlyAtItsTime) {
  const Scheduled lr =
      schedules::piecewise({.values = {0.3, 0.2, 0.1}, .at = {epochs(1), percent(75)}});
  EXPECT_EQ(value_at(lr, 0), 0.3);
  EXPECT_EQ(value_at(lr, 49), 0.3);
  EXPECT_EQ(value_at(lr, 50), 0.2);
  EXPECT_EQ(value_at(lr, 149), 0.2);
  EXPECT_EQ(value_at(lr, 150), 0.1);
  EXPECT_EQ(ScheduledValue(lr).changes(kLength), (Steps{0, 50, 150}));
}

TEST(Piecewise, RefusesListsThatDoNotFit) {
  EXPECT_THROW(ScheduledValue{schedules::piecewise({.values = {1, 2}})}, ConfigError);
  EXPECT_THROW(
      ScheduledValue{schedules::piecewise({.values = {1, 2, 3}, .at = {steps(9), steps(9)}})},
      ConfigError);
}

TEST(Scheduled, HoldsANumberOrASchedule) {
  EXPECT_EQ(value_at(0.5, 17), 0.5);
  EXPECT_EQ(ScheduledValue(0.5).changes(kLength), Steps{0});
  EXPECT_TRUE(TypeOf<Scheduled>::type().is_scheduled);
}

TEST(Scheduled, ReadsANumberANameAndOptions) {
  EXPECT_EQ(TypeOf<Scheduled>::read(Node::scalar("1e-3")).constant(), 0.001);
  EXPECT_EQ(TypeOf<Scheduled>::read(Node::scalar("cosine")).schedule().name(), "cosine");
  const Scheduled lr = schedules::piecewise({.values = {0.3, 0.2}, .at = {steps(10)}});
  const Scheduled back = TypeOf<Scheduled>::read(TypeOf<Scheduled>::write(lr));
  EXPECT_EQ(value_at(back, 10), 0.2);
  EXPECT_EQ(TypeOf<Scheduled>::write(0.25).text(), "0.25");
}

TEST(Scheduled, NamesTheNearestScheduleForAnUnknownOne) {
  const Scheduled lr = Choice<Schedule>("cosin", Node::map());
  EXPECT_THROW(ScheduledValue{lr}, ConfigError);
}

}  // namespace
}  // namespace hearth
