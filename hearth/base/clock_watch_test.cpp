// A clock that is set.
#include "hearth/base/clock_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace hearth {

TEST(ClockWatch, TellsHowFarTheClockOfTheDayWasSet) {
  ClockWatch watch;
  EXPECT_EQ(0, watch.jump(1'000'000, 10));
  EXPECT_EQ(0, watch.jump(1'000'001.5, 11));  // a correction
  EXPECT_DOUBLE_EQ(3600, watch.jump(1'003'602.5, 12));
  EXPECT_EQ(0, watch.jump(1'003'603.5, 13));
  EXPECT_DOUBLE_EQ(-3600, watch.jump(1'000'004.5, 14));
}

TEST(ClockWatch, IsSilentWhileNobodySetsTheClock) {
  ClockWatch watch;
  EXPECT_EQ(0, watch.jump());
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(0, watch.jump());
}

}  // namespace hearth
