// Whole tables of CSV.
#include "hearth/format/csv.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/csv_scanner.h"

namespace hearth {

char csv_separator_of(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const char separator : {',', ';', '\t'})
    if (line.find(separator) != line.npos) return separator;
  return ',';
}

namespace {

bool is_header(const CsvRow& row) {
  const auto is_number = [](const std::string& field) {
    return read_number(trim(field)).has_value();
  };
  const auto is_empty = [](const std::string& field) { return trim(field).empty(); };
  return std::none_of(row.fields.begin(), row.fields.end(), is_number) &&
         !std::all_of(row.fields.begin(), row.fields.end(), is_empty);
}

std::vector<double> numbers_of(const CsvRow& row, const std::string& what) {
  std::vector<double> numbers;
  for (size_t i = 0; i < row.fields.size(); ++i) {
    const std::string_view field = trim(row.fields[i]);
    const auto number = read_number(field);
    if (!number)
      throw_csv_error(what, row.line, row.columns[i],
                      "expected a number, but found " +
                          (field.empty() ? std::string("nothing") : quote(field.substr(0, 40))) +
                          ".");
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<CsvRow> parse_csv(std::string_view text, const std::string& what, char separator,
                              const CsvLimits& limits) {
  if (text.size() > limits.bytes) {
    throw DataError(what + ": has " + human_bytes(text.size()) + ", the limit is " +
                    human_bytes(limits.bytes) + ".");
  }
  std::string copy(text);
  CsvScanner scanner(copy, what, separator, 1, limits.fields);
  std::vector<CsvRow> rows;
  for (std::vector<CsvField> fields; scanner.next(fields);) {
    if (rows.size() == limits.rows)
      throw_csv_error(what, scanner.line(), 1, "more than " + human_count(limits.rows) + " rows.");
    CsvRow& row = rows.emplace_back(CsvRow{scanner.line(), {}, {}});
    for (const CsvField& field : fields) {
      row.fields.emplace_back(field.text);
      row.columns.push_back(field.column);
    }
  }
  return rows;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    if (fields[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += fields[i];
      continue;
    }
    line += '"';
    for (const char letter : fields[i])
      line += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    line += '"';
  }
  return line + "\n";
}

CsvNumbers parse_csv_numbers(std::string_view text, const std::string& what) {
  CsvNumbers table;
  for (const CsvRow& row : parse_csv(text, what, csv_separator_of(text))) {
    if (row.fields.size() == 1 && trim(row.fields[0]).empty()) continue;
    if (table.header.empty() && table.rows.empty() && is_header(row))
      table.header = row.fields;
    else
      table.rows.push_back({row.line, numbers_of(row, what)});
  }
  return table;
}

}  // namespace hearth
