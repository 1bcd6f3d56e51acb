// SQLite databases, to read only.
#include "hearth/format/sqlite.h"

#include <sqlite3.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr int kMostValueBytes = 64 << 20;

// What a query may do: select, read columns, call functions that stay within the database.
int allow_selecting(void*, int action, const char*, const char* function, const char*,
                    const char*) {
  if (action == SQLITE_FUNCTION)
    return function != nullptr && std::string_view(function) == "load_extension" ? SQLITE_DENY
                                                                                 : SQLITE_OK;
  const bool is_harmless =
      action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE;
  return is_harmless ? SQLITE_OK : SQLITE_DENY;
}

}  // namespace

struct SqliteQuery::Connection {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    sqlite3_finalize(statement);
    sqlite3_close(database);
  }
};

SqliteQuery::SqliteQuery(const std::filesystem::path& path, const std::string& query)
    : path_(path), connection_(std::make_unique<Connection>()) {
  (void)open_to_read(path);  // says why it cannot be read
  sqlite3*& database = connection_->database;
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK)
    fail("opened");
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMostValueBytes);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_set_authorizer(database, allow_selecting, nullptr);
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(database, query.c_str(), static_cast<int>(query.size()),
                                      &connection_->statement, &rest);
  if (code == SQLITE_AUTH)
    throw ConfigError("query: it may only select, but would do more: " + quote(query) + ".");
  if (code == SQLITE_ERROR)
    throw ConfigError("query: " + std::string(sqlite3_errmsg(database)) + ", in " + quote(query) +
                      ".");
  if (code != SQLITE_OK) fail("read");
  const bool is_select = connection_->statement != nullptr &&
                         sqlite3_column_count(connection_->statement) > 0 &&
                         sqlite3_stmt_readonly(connection_->statement) != 0;
  if (!is_select || !trim(rest).empty())
    throw ConfigError("query: must be one statement that selects, but is " + quote(query) + ".");
  for (int i = 0; i < sqlite3_column_count(connection_->statement); ++i)
    columns_.emplace_back(sqlite3_column_name(connection_->statement, i));
}

SqliteQuery::~SqliteQuery() = default;

bool SqliteQuery::next(std::vector<std::string_view>& values) {
  values.clear();
  const int code = sqlite3_step(connection_->statement);
  if (code == SQLITE_DONE) return false;
  if (code != SQLITE_ROW) fail("read");
  for (size_t i = 0; i < columns_.size(); ++i) {
    const int column = static_cast<int>(i);
    if (sqlite3_column_type(connection_->statement, column) == SQLITE_BLOB)
      throw DataError(
          path_.string() + ": column " + quote(columns_[i]) +
          " holds bytes, which are neither number nor text. Leave it out of the query.");
    const auto* text =
        reinterpret_cast<const char*>(sqlite3_column_text(connection_->statement, column));
    const int bytes = sqlite3_column_bytes(connection_->statement, column);
    values.emplace_back(text == nullptr ? "" : text,
                        text == nullptr ? 0 : static_cast<size_t>(bytes));
  }
  return true;
}

void SqliteQuery::restart() { sqlite3_reset(connection_->statement); }

void SqliteQuery::fail(const std::string& doing) const {
  throw DataError(path_.string() + ": cannot be " + doing +
                  " as an SQLite database: " + sqlite3_errmsg(connection_->database) + ".");
}

}  // namespace hearth
