// Tests of the sqlite source.
#include "hearth/data/sources/sqlite.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/sample_of_test.h"

namespace hearth {
namespace {

std::shared_ptr<Source> opened_query(const std::string& query,
                                     const std::vector<std::string>& target = {}) {
  std::shared_ptr<Source> source = registry<Source>().make(
      sources::sqlite({.file = std::string(HEARTH_SOURCE_DIR) + "/tests/corpus/sqlite/small.db",
                       .query = query,
                       .target = target}));
  source->open();
  return source;
}

TEST(SqliteSource, MakesATableOfTheRows) {
  const auto source = opened_query("SELECT size, color FROM rows ORDER BY id");
  ASSERT_EQ(source->size(), 40);
  EXPECT_EQ(source->keys()[0].spec.columns, std::vector<std::string>{"size"});
  EXPECT_EQ(source->keys()[1].spec.class_names,
            (std::vector<std::string>{"(missing)", "green", "red"}));
  EXPECT_EQ(testing_data::floats_of(*source, "features", 1), std::vector<float>{1.75});
  EXPECT_EQ(testing_data::number_of(*source, "color", 2), 0);
  EXPECT_EQ(testing_data::number_of(*source, "color", 3), 2);
}

TEST(SqliteSource, SaysWhatIsWrong) {
  EXPECT_NE(message_of<DataError>([] {
              (void)opened_query("SELECT x FROM t WHERE x > 9");
            }).find("the query gives no row: SELECT x FROM t WHERE x > 9"),
            std::string::npos);
  EXPECT_EQ(message_of<ConfigError>([] { (void)opened_query("SELECT x FROM t", {"y"}); }),
            "'y' is no column of the query. Known: x.");
}

}  // namespace
}  // namespace hearth
