// CSV after RFC 4180: quotes, doubled quotes, line breaks in quotes, LF or CRLF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

struct CsvLimits {
  uint64_t bytes = 1ULL << 30;
  uint64_t rows = 100'000'000;
  uint64_t fields = 100'000;  // in one row
};

struct CsvRow {
  int64_t line = 0;  // where it starts, from 1
  std::vector<std::string> fields;
  std::vector<uint64_t> columns;  // where each field begins in its line, from 1
};

// An empty line is a row with one empty field; the last line's end may be missing. DataError names
// `what:line:column`.
[[nodiscard]] std::vector<CsvRow> parse_csv(std::string_view text, const std::string& what,
                                            char separator = ',', const CsvLimits& limits = {});

// A row as parse_csv reads it back, with its line's end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

// Commas, or semicolons or tabs when the first line has none.
[[nodiscard]] char csv_separator_of(std::string_view text);

struct CsvNumbers {
  struct Row {
    int64_t line = 0;
    std::vector<double> values;
  };
  std::vector<std::string> header;  // the columns' names; empty when the file has none
  std::vector<Row> rows;
};

// Rows of numbers. A first row without any number is the header; empty lines are skipped. Fields
// are separated by commas, or by semicolons or tabs when the first line has no comma. DataError
// names `what:line:column`.
[[nodiscard]] CsvNumbers parse_csv_numbers(std::string_view text, const std::string& what);

}  // namespace hearth
