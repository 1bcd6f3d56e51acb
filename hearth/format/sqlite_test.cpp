// Tests of SQLite databases.
#include "hearth/format/sqlite.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

const std::string& small_database() {
  static const std::string path =
      (fs::path(HEARTH_SOURCE_DIR) / "tests/corpus/sqlite/small.db").string();
  return path;
}

std::string query_fault(const std::string& query) {
  return message_of<Error>([&] { const SqliteQuery made(small_database(), query); });
}

TEST(Sqlite, GivesRowsAsTexts) {
  SqliteQuery query(small_database(), "SELECT x, name FROM t ORDER BY x");
  EXPECT_EQ(query.columns(), (std::vector<std::string>{"x", "name"}));
  std::vector<std::string_view> row;
  ASSERT_TRUE(query.next(row));
  EXPECT_EQ(row, (std::vector<std::string_view>{"", "none"}));
  ASSERT_TRUE(query.next(row));
  EXPECT_EQ(row, (std::vector<std::string_view>{"1.5", "a"}));
  query.restart();
  int rows = 0;
  while (query.next(row)) ++rows;
  EXPECT_EQ(rows, 3);
}

TEST(Sqlite, OnlySelects) {
  EXPECT_EQ(query_fault("DELETE FROM t"),
            "query: it may only select, but would do more: 'DELETE FROM t'.");
  for (const char* query :
       {"DROP TABLE t", "ATTACH 'x.db' AS x", "PRAGMA writable_schema=1", "CREATE TABLE u (a)",
        "SELECT load_extension('x.so')", "UPDATE t SET x=1", "VACUUM INTO 'y.db'"})
    EXPECT_NE(query_fault(query), "no fault") << query;
  EXPECT_EQ(query_fault("SELECT 1; SELECT 2"),
            "query: must be one statement that selects, but is 'SELECT 1; SELECT 2'.");
  EXPECT_EQ(query_fault("SELECT y FROM t"), "query: no such column: y, in 'SELECT y FROM t'.");
}

TEST(Sqlite, SurvivesEveryTruncationAndChangedBytes) {
  const std::string whole = read_file(small_database());
  const std::string path = testing::TempDir() + "broken-" + std::to_string(getpid()) + ".db";
  const auto read_all = [&] {
    try {
      SqliteQuery query(path, "SELECT * FROM t");
      for (std::vector<std::string_view> row; query.next(row);) {
      }
    } catch (const Error&) {
    }
  };
  for (size_t length = 0; length < whole.size(); length += 97) {
    write_file_durably(path, whole.substr(0, length));
    read_all();
  }
  for (size_t at = 0; at < whole.size(); at += 61) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    write_file_durably(path, changed);
    read_all();
  }
  fs::remove(path);
}

}  // namespace
}  // namespace hearth
