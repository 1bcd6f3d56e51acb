// Names that become files.
#include "hearth/config/file_name.h"

#include <gtest/gtest.h>

#include <regex>

namespace hearth {
namespace {

TEST(FileName, TakesLettersDigitsDotsDashesAndUnderscores) {
  for (const char* name : {"best", "a", "_x", "net-2.1", "0", "Last", "steps", "last-one"})
    for (const NameRule rule : {NameRule::kFile, NameRule::kCheckpoint})
      EXPECT_EQ(name_fault(name, rule), std::nullopt) << name;
}

TEST(FileName, IsNeitherAPathNorHiddenNorAFlag) {
  for (const char* name :
       {"", ".", "..", "../../x", "a/b", "a\\b", ".x", "-x", "a b", "a\n", "\xc3\xa4"})
    EXPECT_NE(name_fault(name, NameRule::kFile), std::nullopt) << name;
  EXPECT_NE(name_fault(std::string("a\0b", 3), NameRule::kFile), std::nullopt);
  EXPECT_EQ(name_fault(std::string(100, 'x'), NameRule::kFile), std::nullopt);
  EXPECT_EQ(name_fault(std::string(101, 'x'), NameRule::kFile),
            "must have at most 100 characters, but has 101.");
}

TEST(FileName, OfACheckpointIsNoneOfTheRunsOwn) {
  for (const char* name : {"last", "step-1", "step-"}) {
    EXPECT_EQ(name_fault(name, NameRule::kFile), std::nullopt) << name;
    EXPECT_NE(name_fault(name, NameRule::kCheckpoint), std::nullopt) << name;
  }
}

TEST(FileName, ThePatternForEditorsDecidesAlike) {
  for (const NameRule rule : {NameRule::kFile, NameRule::kCheckpoint})
    for (const char* name : {"best", "last", "step-1", "../x", ".x", "-x", "_x", "a b", "9", ""})
      EXPECT_EQ(std::regex_match(name, std::regex(name_pattern(rule))),
                !name_fault(name, rule).has_value())
          << name;
}

}  // namespace
}  // namespace hearth
