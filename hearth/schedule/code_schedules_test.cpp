// Schedules that a program computes.
#include "hearth/schedule/code_schedules.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

constexpr TrainingLength kLength{.steps_per_epoch = 10, .total_steps = 100, .batch_size = 8};

TEST(CodeSchedules, AreAskedAtEveryMomentLikeAnyOther) {
  const Scheduled halves = schedules::lambda(
      "halves", {.value = [](const Moment& moment) { return moment.epoch == 0 ? 1 : 0.5; },
                 .most = 1,
                 .changes = {epochs(1)}});
  const ScheduledValue value(0.1 * halves);
  EXPECT_DOUBLE_EQ(value.at({9, 0, kLength}), 0.1);
  EXPECT_DOUBLE_EQ(value.at({10, 1, kLength}), 0.05);
  EXPECT_EQ(value.range(), std::pair(0.0, 0.1));
  EXPECT_EQ(ScheduledValue(halves).changes(kLength), (std::vector<int64_t>{0, 10}));
}

TEST(CodeSchedules, RefuseValuesBeyondWhatTheyPromised) {
  const ScheduledValue value(Scheduled(schedules::lambda(
      "sinks",
      {.value = [](const Moment& moment) { return 1.0 - static_cast<double>(moment.step); }})));
  EXPECT_EQ(value.at({1, 0, kLength}), 0);
  EXPECT_EQ(message_of<ConfigError>([&] {
              (void)value.at({3, 0, kLength});
            }),
            "the schedule 'sinks' is -2 at step 3, but it was said to keep within 0 and inf. Say "
            "another `least` or `most`.");
  EXPECT_EQ(message_of<ConfigError>([] { (void)schedules::lambda("none", {}); }),
            "the schedule 'none' needs a function.");
}

}  // namespace
}  // namespace hearth
