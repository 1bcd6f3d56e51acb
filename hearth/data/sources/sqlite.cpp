// Rows of a query to an SQLite database, fetched once when it is opened and kept as numbers.
#include "hearth/data/sources/sqlite.h"

#include <utility>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/opened_file.h"
#include "hearth/data/table/table_fields.h"
#include "hearth/format/sqlite.h"

namespace hearth::sources {

namespace {

constexpr int64_t kGuessRows = 10'000;
constexpr int64_t kBlockRows = 65'536;

class SqliteSource : public Source {
 public:
  using Options = SqliteOptions;
  explicit SqliteSource(Options options) : options_(std::move(options)) {}

  void open() override {
    file_.open(options_.file);
    SqliteQuery query(options_.file, options_.query);
    const TableOptions table = table_options(options_);
    std::vector<TableColumn> columns = table_columns(query.columns(), table, "the query");
    guess(query, columns);
    while (true) {
      TableBuilder builder(columns, table);
      fetch(query, builder);
      if (auto found = builder.finish()) {
        table_ = std::move(*found);
        break;
      }
      columns = builder.columns();
    }
    file_.check_unchanged();
    if (table_.size() == 0)
      throw DataError(options_.file + ": the query gives no row: " + options_.query);
  }

  std::vector<KeySpec> keys() const override { return table_.keys(); }
  int64_t size() const override { return table_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    table_.read(index, cells);
  }

  uint64_t resident_bytes() const override { return table_.resident_bytes(); }
  std::string fingerprint() const override {
    Sha256 digest;
    digest.add(options_.query + "\n");
    file_.add_to(digest);
    return "sqlite:sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    return file_.path.filename().string() + " row " + std::to_string(index + 1);
  }

 private:
  static bool next_row(SqliteQuery& query, std::vector<std::string_view>& values,
                       std::vector<CsvField>& row) {
    if (!query.next(values)) return false;
    row.clear();
    for (const std::string_view value : values) row.push_back({value, row.size() + 1});
    return true;
  }

  void guess(SqliteQuery& query, std::vector<TableColumn>& columns) const {
    const MissingTexts missing({});
    KindGuess guess(columns, missing);
    std::vector<std::string_view> values;
    std::vector<CsvField> row;
    for (int64_t i = 0; i < kGuessRows && next_row(query, values, row); ++i) guess.add(row);
    guess.apply(columns, options_.file);
  }

  void fetch(SqliteQuery& query, TableBuilder& builder) const {
    TableBuilder::Part part(builder);
    std::vector<std::string_view> values;
    std::vector<CsvField> row;
    query.restart();
    int64_t number = 0;
    bool has_more = next_row(query, values, row);
    for (int64_t block = 0; has_more; ++block) {
      part.begin({.number = block, .first_line = number + 1}, options_.file);
      for (int64_t i = 0; has_more && i < kBlockRows; ++i) {
        part.add(row, ++number);
        has_more = next_row(query, values, row);
      }
      part.end();
    }
  }

  Options options_;
  OpenedFile file_;
  ColumnTable table_;
};

}  // namespace

const Schema<SqliteOptions>& SqliteOptions::schema() {
  using O = SqliteOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields
        .field(&O::file, "file", "The database; it is only read.", is_path(), required(),
               not_empty())
        .field(&O::query, "query",
               "What to select, `SELECT size, color FROM shirts ORDER BY id`: a sample for each "
               "row. Without an order the database may give another one next time.",
               required(), not_empty());
    add_column_fields(fields);
    add_table_limits(fields);
    return fields;
  }();
  return schema;
}

Choice<Source> sqlite(const SqliteOptions& options) { return choose<Source>("sqlite", options); }

void register_sqlite(Registry<Source>& registry) {
  registry.add<SqliteSource>("sqlite", "Rows of a query to an SQLite database.");
}

}  // namespace hearth::sources
