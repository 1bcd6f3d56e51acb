// The kinds of error and the exit codes that shells see.
#include "hearth/base/error.h"

#include <gtest/gtest.h>

namespace hearth {

TEST(Error, EachKindHasItsOwnExitCode) {
  EXPECT_EQ(Error("").exit_code(), 1);
  EXPECT_EQ(ConfigError("").exit_code(), 2);
  EXPECT_EQ(DataError("").exit_code(), 3);
  EXPECT_EQ(GraphError("").exit_code(), 4);
  EXPECT_EQ(InternalError("").exit_code(), 70);
}

TEST(Error, EveryKindIsCaughtAsErrorWithItsTextAndCode) {
  try {
    throw DataError("digits.csv: is empty");
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "digits.csv: is empty");
    EXPECT_EQ(error.exit_code(), 3);
  }
}

}  // namespace hearth
