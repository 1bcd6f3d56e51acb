// Tests of the columns.
#include "cli/table.h"

#include <gtest/gtest.h>

namespace hearth::cli {
namespace {

TEST(Table, AlignsMeaningsBehindTheLongestName) {
  EXPECT_EQ(two_columns({{"a", "one"}, {"long", "two"}}), "  a     one\n  long  two\n");
}

TEST(Table, WrapsMeaningsUnderThemselves) {
  const std::string meaning = std::string(60, 'x') + " " + std::string(60, 'y');
  EXPECT_EQ(two_columns({{"a", meaning}}, 4),
            "  a   " + std::string(60, 'x') + "\n      " + std::string(60, 'y') + "\n");
}

TEST(Table, GivesAVeryLongNameALineOfItsOwn) {
  const std::string name(40, 'n');
  EXPECT_EQ(two_columns({{name, "one"}}, 4), "  " + name + "\n      one\n");
}

TEST(Table, LeavesNoBlanksBehindANameWithoutMeaning) {
  EXPECT_EQ(two_columns({{"a", ""}}, 8), "  a\n");
}

TEST(Table, KeepsAWordWholeThatIsLongerThanTheLine) {
  EXPECT_EQ(wrapped("a abcdefgh b", 4), (std::vector<std::string>{"a", "abcdefgh", "b"}));
}

}  // namespace
}  // namespace hearth::cli
