// What other programs use of the cores: reading the system's counts, and measuring.
#include "hearth/base/other_programs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>

#include "hearth/base/clock.h"
#include "hearth/base/cores.h"

namespace hearth {
namespace {

constexpr const char* kStat =
    "cpu  1111 0 0 0 0 0 0 0 0 0\n"
    "cpu0 100 20 3 5000 600 7 8 9000 0 0\n"
    "cpu1 200 0 0 5000 600 0 0 9000 0 0\n"
    "cpu10 4000 0 0 0 0 0 0 0 0 0\n"
    "intr 1 2 3\n";

TEST(OtherPrograms, AddUpTheBusyTimeOfTheCoresAskedFor) {
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  EXPECT_DOUBLE_EQ(busy_seconds_in_stat(kStat, {0}).value() * ticks, 138);
  EXPECT_DOUBLE_EQ(busy_seconds_in_stat(kStat, {0, 1}).value() * ticks, 338);
  EXPECT_DOUBLE_EQ(busy_seconds_in_stat(kStat, {10}).value() * ticks, 4000);
}

TEST(OtherPrograms, AreUnknownWhereTheSystemDoesNotSay) {
  EXPECT_EQ(busy_seconds_in_stat("", {0}), std::nullopt);
  EXPECT_EQ(busy_seconds_in_stat(kStat, {}), std::nullopt);
  EXPECT_EQ(busy_seconds_in_stat(kStat, {0, 2}), std::nullopt);
  EXPECT_EQ(busy_seconds_in_stat("cpu0 100 20\n", {0}), std::nullopt);
}

// However busy the machine is: what this process does is never the others'.
TEST(OtherPrograms, AndThisProcessTogetherUseNoMoreThanTheCores) {
  OtherPrograms others;
  EXPECT_EQ(others.cores_used(), std::nullopt);  // too early to tell
  const Stopwatch watch;
  const std::clock_t began = std::clock();
  while (watch.seconds() < 0.2) continue;
  const double own = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC / watch.seconds();
  const std::optional<double> used = others.cores_used();
  if (!used) GTEST_SKIP() << "the system does not say";
  EXPECT_GE(*used, 0);
  EXPECT_LT(*used + own, static_cast<double>(usable_cores().size()) + 0.3);
}

}  // namespace
}  // namespace hearth
