// A small table of text with names for its columns: CSV, or words with spaces or tabs between.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hearth {

class NamedTable {
 public:
  // The first row names the columns, unless `columns` do. DataError names the file and the line of
  // a row that has another number of fields.
  NamedTable(const std::filesystem::path& file, const std::vector<std::string>& columns);

  [[nodiscard]] int64_t rows() const { return static_cast<int64_t>(lines_.size()); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  // Which column has this name; DataError, with the nearest name, when there is none.
  [[nodiscard]] size_t column(const std::string& name) const;
  [[nodiscard]] const std::string& at(int64_t row, size_t column) const {
    return fields_[static_cast<size_t>(row) * columns_.size() + column];
  }
  [[nodiscard]] std::string place(int64_t row) const;  // "train.csv:3"
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string file_;
  std::string text_;
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
  std::vector<int64_t> lines_;
};

// The different values of a column: 0 to n - 1 in order when all are whole numbers, their names in
// order otherwise. DataError for an empty field, or for numbers that cannot be of classes.
[[nodiscard]] std::vector<std::string> classes_of(const NamedTable& table,
                                                  const std::string& column);
// The number of each row's class; DataError names a row whose class is none of `classes`.
[[nodiscard]] std::vector<int64_t> class_numbers(const NamedTable& table, const std::string& column,
                                                 const std::vector<std::string>& classes);

}  // namespace hearth
