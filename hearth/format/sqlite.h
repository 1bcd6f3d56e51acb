// SQLite databases, to read only: one query that does nothing but select.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

class SqliteQuery {
 public:
  // Opens the file read-only and prepares the query. ConfigError for a query that is none or would
  // do more than select; DataError names the file for what is no database, or a damaged one.
  SqliteQuery(const std::filesystem::path& path, const std::string& query);
  ~SqliteQuery();
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;

  // The names of the result's columns.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  // The next row's values as text, valid until the next call; empty for NULL. False after the last.
  // DataError for bytes, which are no text.
  bool next(std::vector<std::string_view>& values);
  // Begins again with the first row.
  void restart();

 private:
  [[noreturn]] void fail(const std::string& doing) const;

  struct Connection;
  std::filesystem::path path_;
  std::unique_ptr<Connection> connection_;
  std::vector<std::string> columns_;
};

}  // namespace hearth
