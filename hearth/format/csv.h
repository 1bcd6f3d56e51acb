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
};

// An empty line is a row with one empty field; the last line's end may be missing. DataError names
// `what:line:column`.
[[nodiscard]] std::vector<CsvRow> parse_csv(std::string_view text, const std::string& what,
                                            char separator = ',', const CsvLimits& limits = {});

// One line of plain numbers, without quotes or line end; DataError names `what:line:column`.
[[nodiscard]] std::vector<double> parse_csv_numbers(std::string_view line, const std::string& what,
                                                    int64_t line_number, char separator = ',');

}  // namespace hearth
