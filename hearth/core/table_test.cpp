// Tables as JSON and as text for wide and narrow terminals.
#include "hearth/core/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace hearth {
namespace {

Table counts() {
  return {.corner = "true",
          .columns = {"cat", "dog", "bird"},
          .rows = {"cat", "dog"},
          .cells = {5, 0, 12, 1, 7, 0}};
}

TEST(Table, StandsInColumnsOfTheirOwnWidth) {
  EXPECT_EQ(counts().text(80),
            "  true  cat  dog  bird\n"
            "  cat     5    0    12\n"
            "  dog     1    7     0\n");
}

TEST(Table, GoesOnBelowOnANarrowTerminal) {
  EXPECT_EQ(counts().text(17),
            "  true  cat  dog\n"
            "  cat     5    0\n"
            "  dog     1    7\n"
            "\n"
            "  true  bird\n"
            "  cat     12\n"
            "  dog      0\n");
}

TEST(Table, ShowsSharesRoundedAndWhatIsMissingAsADash) {
  const Table table = {
      .columns = {"f1", "samples"}, .rows = {"a", "b"}, .cells = {2.0 / 3, 3, std::nan(""), 0}};
  EXPECT_EQ(table.text(80),
            "         f1  samples\n"
            "  a  0.6667        3\n"
            "  b       -        0\n");
}

TEST(Table, ShowsTheStartOfAHugeOne) {
  Table table = {.corner = "x", .columns = {"n"}};
  for (int row = 0; row < 1050; ++row) {
    table.rows.push_back(std::to_string(row));
    table.cells.push_back(1);
  }
  const std::string text = table.text(80);
  EXPECT_NE(text.find("  49  1\n  and 1,000 rows more; --json has them all\n"), std::string::npos);
  EXPECT_EQ(table.to_json().at("cells").size(), 1050u);
}

TEST(Table, ShortensLongNamesAndShowsNoControlSequences) {
  const Table table = {.columns = {"a name of many letters"}, .rows = {"\x1b[31m"}, .cells = {1}};
  EXPECT_EQ(table.text(80),
            "            a name of many …\n"
            "  \\x1b[31m                 1\n");
}

TEST(Table, IsJsonWithNullWhereThereIsNoNumber) {
  const Table table = {
      .corner = "c", .columns = {"a", "b"}, .rows = {"r"}, .cells = {0.5, std::nan("")}};
  EXPECT_EQ(table.to_json().dump(),
            R"({"cells":[[0.5,null]],"columns":["a","b"],"corner":"c","rows":["r"]})");
  EXPECT_EQ(counts().to_json().at("cells").dump(), "[[5,0,12],[1,7,0]]");
}

}  // namespace
}  // namespace hearth
