// A table, in memory as far as it may be: rows of numbers, categories and texts, as the keys of a
// source.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/table/table_block.h"
#include "hearth/data/table/table_column.h"
#include "hearth/data/value.h"

namespace hearth {

// The cache folder; that of temporary files without one.
[[nodiscard]] std::filesystem::path overflow_folder_of_user();

// What a config says of a table, whatever file it comes from.
struct TableOptions {
  std::vector<std::string> targets;
  std::map<std::string, std::vector<std::string>> columns;  // a kind, or a vocabulary
  std::vector<std::string> missing;
  bool accepts_unknown = false;  // a text that the vocabulary does not have counts as missing
  // In memory; rows beyond lie in a file of the folder.
  uint64_t most_bytes = 2ULL << 30;
  std::filesystem::path overflow_folder = overflow_folder_of_user();
};

// Where the values of a column lie in a row's bytes.
struct TablePlace {
  size_t column = 0;  // of the table
  size_t offset = 0;  // in bytes
};

// A row: all numbers of features, then those of targets; class numbers as int32; then begin and
// end of each text within the block's.
struct TableLayout {
  explicit TableLayout(const std::vector<TableColumn>& columns = {});
  size_t feature_count = 0;
  std::vector<TablePlace> numbers;
  std::vector<TablePlace> categories;
  std::vector<TablePlace> texts;
  size_t row_bytes = 0;
};

class ColumnTable {
 public:
  ColumnTable() = default;
  // Takes over blocks in their order, with the file that some of them lie in, if any; categories
  // are numbered by their vocabularies.
  ColumnTable(std::vector<TableColumn> columns, std::vector<TableBlock> blocks,
              std::shared_ptr<OverflowFile> overflow);

  [[nodiscard]] int64_t size() const { return starts_.empty() ? 0 : starts_.back(); }
  [[nodiscard]] const std::vector<TableColumn>& columns() const { return columns_; }
  // All numbers that are no target are one key, `features`; categories and texts have a key each,
  // called as their column. One target is `label`, several are called as their columns. ConfigError
  // when two keys would have one name.
  [[nodiscard]] std::vector<KeySpec> keys() const;
  void read(int64_t index, std::span<const Cell> cells) const;
  // Of rows that do not lie in a file.
  [[nodiscard]] uint64_t resident_bytes() const;
  // The file and the line of a row.
  struct Place {
    size_t file = 0;
    int64_t line = 0;
  };
  [[nodiscard]] Place place(int64_t index) const;

 private:
  [[nodiscard]] const TableBlock& block_of(int64_t index, int64_t& row) const;
  [[nodiscard]] std::string key_of(const TableColumn& column) const;
  [[nodiscard]] Spec spec_of(const TableColumn& column) const;

  std::vector<TableColumn> columns_;
  TableLayout layout_;
  std::shared_ptr<OverflowFile> overflow_;
  std::vector<TableBlock> blocks_;
  std::vector<int64_t> starts_;  // of the second block, the third, ..., and the end
  size_t targets_ = 0;
};

// Columns of a table by the names in its header, with what the config says of them. ConfigError for
// a name that the table does not have, and a kind that is none.
[[nodiscard]] std::vector<TableColumn> table_columns(const std::vector<std::string>& names,
                                                     const TableOptions& options,
                                                     const std::string& what);

}  // namespace hearth
