// Typed times.
#include "hearth/config/time.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr TrainingLength kLength = {.steps_per_epoch = 10, .total_steps = 30, .batch_size = 64};

TEST(Time, ReadsBackFromItsText) {
  for (const char* text :
       {"3ep", "0.5ep", "500st", "64000sm", "10min", "50%", "0st", "100000st", "2000000sm"}) {
    ASSERT_TRUE(Time::from(text)) << text;
    EXPECT_EQ(Time::from(text)->text(), text);
  }
}

TEST(Time, KnowsItsUnit) {
  EXPECT_EQ(Time::from("3ep"), epochs(3));
  EXPECT_EQ(Time::from("500st"), steps(500));
  EXPECT_EQ(Time::from("64000sm"), samples(64000));
  EXPECT_EQ(Time::from("10min"), minutes(10));
  EXPECT_EQ(Time::from("50%"), percent(50));
  EXPECT_EQ(Time::from("0"), steps(0));
}

TEST(Time, RefusesWhatIsNotATime) {
  for (const char* text : {"", "3", "ep", "3 ep", "-3ep", "+3ep", "3eps", "3epoch", "nanst",
                           "infep", "0x10st", "1e999st", "3..5ep", "%", "3EP"})
    EXPECT_EQ(Time::from(text), std::nullopt) << text;
}

TEST(Time, BecomesSteps) {
  EXPECT_EQ(epochs(2).steps(kLength), 20);
  EXPECT_EQ(epochs(0.25).steps(kLength), 3);
  EXPECT_EQ(steps(7).steps(kLength), 7);
  EXPECT_EQ(samples(65).steps(kLength), 2);
  EXPECT_EQ(samples(64).steps(kLength), 1);
  EXPECT_EQ(percent(50).steps(kLength), 15);
}

TEST(Time, StaysInRangeForAbsurdCounts) { EXPECT_GT(steps(1e300).steps(kLength), 1'000'000'000); }

TEST(Time, OfMinutesIsNoNumberOfSteps) {
  try {
    (void)minutes(10).steps(kLength);
    FAIL() << "minutes became steps";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "the time '10min' cannot be counted in steps here; use ep, st, sm or %.");
  }
}

}  // namespace
}  // namespace hearth
