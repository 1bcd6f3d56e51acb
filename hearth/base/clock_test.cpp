// Tests of the clocks.
#include "hearth/base/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <thread>

namespace hearth {

TEST(Stopwatch, GrowsWithTimeAndRestartsFromZero) {
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double before = watch.seconds();
  EXPECT_GE(before, 0.020);
  watch.restart();
  EXPECT_LT(watch.seconds(), before);
}

TEST(Clock, UnixSecondsAgreeWithTheSystem) {
  const auto system = static_cast<double>(std::time(nullptr));
  EXPECT_NEAR(unix_seconds(), system, 2.0);
}

TEST(Clock, TimestampIsIsoAndReadsBackToNow) {
  const std::string text = utc_timestamp();
  ASSERT_THAT(text, testing::MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9]+Z"));
  std::tm parts{};
  ASSERT_NE(strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts), nullptr);
  EXPECT_NEAR(static_cast<double>(timegm(&parts)), unix_seconds(), 2.0);
}

}  // namespace hearth
