// Fields by row; which character separates them is what the first line has.
#include "hearth/data/named_table.h"

#include <algorithm>
#include <map>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/csv.h"

namespace hearth {

namespace {

constexpr uint64_t kTableLimitBytes = 1ULL << 30;
constexpr int64_t kMostClasses = 1'000'000;

char separator_of(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const char separator : {'\t', ',', ';'})
    if (line.find(separator) != line.npos) return separator;
  return ' ';
}

}  // namespace

NamedTable::NamedTable(const fs::path& file, const std::vector<std::string>& columns)
    : file_(file.string()), text_(read_file(file, kTableLimitBytes)), columns_(columns) {
  for (CsvRow& row : parse_csv(text_, file_, separator_of(text_))) {
    if (row.fields.size() == 1 && row.fields[0].empty()) continue;
    if (columns_.empty()) {
      columns_ = std::move(row.fields);
      continue;
    }
    if (row.fields.size() != columns_.size())
      throw DataError(file_ + ":" + std::to_string(row.line) + ": has " +
                      std::to_string(row.fields.size()) + " fields, but there are " +
                      std::to_string(columns_.size()) + " columns: " + join(columns_, ", ") + ".");
    lines_.push_back(row.line);
    std::move(row.fields.begin(), row.fields.end(), std::back_inserter(fields_));
  }
  if (lines_.empty())
    throw DataError(file_ + ": holds no row" +
                    (columns_.empty() ? "." : " below the names of its columns."));
}

size_t NamedTable::column(const std::string& name) const {
  const auto at = std::find(columns_.begin(), columns_.end(), name);
  if (at == columns_.end())
    throw DataError(quote(name) + " is no column of " + file_ + "." + did_you_mean(name, columns_));
  return static_cast<size_t>(at - columns_.begin());
}

std::string NamedTable::place(int64_t row) const {
  return file_ + ":" + std::to_string(lines_[static_cast<size_t>(row)]);
}

std::vector<std::string> classes_of(const NamedTable& table, const std::string& column) {
  const size_t at = table.column(column);
  std::set<std::string> names;
  int64_t most = -1;
  bool are_numbers = true;
  for (int64_t row = 0; row < table.rows(); ++row) {
    const std::string& name = table.at(row, at);
    if (name.empty())
      throw DataError(table.place(row) + ": the column " + quote(column) +
                      " is empty, but a class was expected.");
    const auto number = read_integer(name);
    are_numbers = are_numbers && number && *number >= 0 && *number < kMostClasses;
    if (are_numbers) most = std::max(most, *number);
    names.insert(name);
  }
  if (!are_numbers) return {names.begin(), names.end()};
  std::vector<std::string> numbers;
  for (int64_t number = 0; number <= most; ++number) numbers.push_back(std::to_string(number));
  return numbers;
}

std::vector<int64_t> class_numbers(const NamedTable& table, const std::string& column,
                                   const std::vector<std::string>& classes) {
  const size_t at = table.column(column);
  std::map<std::string, int64_t> numbers;
  for (const std::string& name : classes)
    numbers.emplace(name, static_cast<int64_t>(numbers.size()));
  std::vector<int64_t> result;
  for (int64_t row = 0; row < table.rows(); ++row) {
    const auto found = numbers.find(table.at(row, at));
    if (found == numbers.end())
      throw DataError(table.place(row) + ": " + quote(table.at(row, at)) + " is no class of " +
                      quote(column) + "." + did_you_mean(table.at(row, at), classes));
    result.push_back(found->second);
  }
  return result;
}

}  // namespace hearth
