// Tests of the flags' checks.
#include "cli/flag_checks.h"

#include <gtest/gtest.h>

namespace hearth::cli {
namespace {

std::string said(const CLI::Validator& check, std::string value) { return check(value); }

TEST(FlagChecks, SayWhatWasExpectedAndWhatCame) {
  EXPECT_EQ(said(one_of_words({"eval", "test", "train"}), "tset"),
            "must be eval, test or train, but is 'tset'");
  EXPECT_EQ(said(whole_number_from(0), "-1"), "must be a whole number of at least 0, but is '-1'");
  EXPECT_EQ(said(whole_number_from(1), "1.5"),
            "must be a whole number of at least 1, but is '1.5'");
  EXPECT_EQ(said(number_between(0.01, 3600), "nan"),
            "must be a number from 0.01 to 3600, but is 'nan'");
}

TEST(FlagChecks, AreSilentWhenAllIsWell) {
  EXPECT_EQ(said(one_of_words({"eval", "test"}), "test"), "");
  EXPECT_EQ(said(whole_number_from(0), "0"), "");
  EXPECT_EQ(said(number_between(0.01, 3600), "2.5"), "");
}

}  // namespace
}  // namespace hearth::cli
