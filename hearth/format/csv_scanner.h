// Rows of CSV text one after the other, as views into it: nothing is copied.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

struct CsvField {
  std::string_view text;
  uint64_t column = 0;  // where it begins in its line, from 1
};

class CsvScanner {
 public:
  // `text` is changed: a doubled quote within quotes becomes one, where it stands. `what` and
  // `first_line` are for messages; a byte order mark is skipped in line 1.
  CsvScanner(std::span<char> text, std::string what, char separator = ',', int64_t first_line = 1,
             uint64_t most_fields = 100'000);

  // The next row, valid as long as the text; false after the last. An empty line is a row with one
  // empty field. DataError names `what:line:column`.
  bool next(std::vector<CsvField>& fields);
  [[nodiscard]] int64_t line() const { return row_line_; }   // in which the row began
  [[nodiscard]] int64_t next_line() const { return line_; }  // in which the next one begins

 private:
  CsvField plain_field();
  CsvField quoted_field();
  void end_line();
  void start_line();
  [[nodiscard]] bool is_stop(char letter) const {
    return letter == separator_ || letter == '\n' || letter == '\r' || letter == '"' ||
           letter == '\0';
  }
  [[nodiscard]] uint64_t column_of(const char* place) const {
    return static_cast<uint64_t>(place - line_begin_) + 1;
  }
  bool take(char letter);
  [[noreturn]] void fail(const std::string& reason) const;

  char* at_;
  char* end_;
  const char* line_begin_;
  std::string what_;
  char separator_;
  int64_t line_;
  int64_t row_line_;
  uint64_t most_fields_;
};

// DataError "what:line:column: reason".
[[noreturn]] void throw_csv_error(const std::string& what, int64_t line, uint64_t column,
                                  const std::string& reason);

}  // namespace hearth
