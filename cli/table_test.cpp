// Tests of the columns.
#include "cli/table.h"

#include <gtest/gtest.h>

namespace hearth::cli {
namespace {

TEST(Table, AlignsMeaningsBehindTheLongestName) {
  EXPECT_EQ(two_columns({{"a", "one"}, {"long", "two"}}, 100), "  a     one\n  long  two\n");
}

TEST(Table, WrapsMeaningsUnderThemselves) {
  const std::string meaning = std::string(60, 'x') + " " + std::string(60, 'y');
  EXPECT_EQ(two_columns({{"a", meaning}}, 100, 4),
            "  a   " + std::string(60, 'x') + "\n      " + std::string(60, 'y') + "\n");
}

TEST(Table, GivesAVeryLongNameALineOfItsOwn) {
  const std::string name(40, 'n');
  EXPECT_EQ(two_columns({{name, "one"}}, 100, 4), "  " + name + "\n      one\n");
}

TEST(Table, LeavesNoBlanksBehindANameWithoutMeaning) {
  EXPECT_EQ(two_columns({{"a", ""}}, 100, 8), "  a\n");
}

TEST(Table, PutsMeaningsBelowTheirNamesOnANarrowPage) {
  EXPECT_EQ(two_columns({{"--checkpoint NAME", "best, last, or a checkpoint's file."}}, 30, 20),
            "  --checkpoint NAME\n      best, last, or a\n      checkpoint's file.\n");
  for (const std::string line : {"\n", "  --checkpoint NAME"})
    EXPECT_NE(two_columns({{"--checkpoint NAME", ""}}, 30, 20).find(line), std::string::npos);
}

}  // namespace
}  // namespace hearth::cli
