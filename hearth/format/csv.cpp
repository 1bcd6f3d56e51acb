// One pass over the text, a field at a time.
#include "hearth/format/csv.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

[[noreturn]] void throw_csv_error(const std::string& what, int64_t line, uint64_t column,
                                  const std::string& reason) {
  throw DataError(what + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + reason);
}

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& what, char separator, const CsvLimits& limits)
      : text_(text), what_(what), stops_{separator, '\n', '\r', '"', '\0'}, limits_(limits) {
    if (text_.starts_with("\xef\xbb\xbf")) line_begin_ = at_ = 3;  // spreadsheets write a mark
  }

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size()) {
      if (rows.size() == limits_.rows) fail("more than " + human_count(limits_.rows) + " rows.");
      rows.push_back(row());
    }
    return rows;
  }

 private:
  CsvRow row() {
    CsvRow row{line_, {}, {}};
    do {
      if (row.fields.size() == limits_.fields)
        fail("more than " + human_count(limits_.fields) + " fields in a row.");
      row.columns.push_back(column());
      row.fields.push_back(is_next('"') ? quoted_field() : plain_field());
    } while (take(stops_[0]));
    end_line();
    return row;
  }

  std::string plain_field() {
    const size_t end = std::min(text_.find_first_of(stops(), at_), text_.size());
    const std::string_view field = text_.substr(at_, end - at_);
    at_ = end;
    if (is_next('"'))
      fail("a quote inside a field; put the whole field in quotes and double the quote.");
    return std::string(field);
  }

  std::string quoted_field() {
    const int64_t line = line_;
    const uint64_t first_column = column();
    std::string field;
    for (++at_;; field += '"') {
      const size_t end = text_.find('"', at_);
      if (end == text_.npos)
        throw_csv_error(what_, line, first_column, "the quote that opens here is never closed.");
      append_quoted(field, end);
      at_ = end + 1;
      if (!take('"')) break;
    }
    if (at_ < text_.size() && stops().find(text_[at_]) == std::string_view::npos)
      fail("expected a separator or the end of the line after the closing quote.");
    return field;
  }

  void append_quoted(std::string& field, size_t end) {
    for (const char letter : text_.substr(at_, end - at_)) {
      if (letter == '\0') fail("a NUL byte; this is not text.");
      ++at_;
      if (letter == '\n') start_line();
      field += letter;
    }
  }

  void end_line() {
    if (at_ == text_.size()) return;
    const bool has_return = take('\r');
    if (!take('\n')) {
      fail(has_return ? "a carriage return without a line feed; save the file with LF or CRLF."
                      : "a NUL byte; this is not text.");
    }
    start_line();
  }

  void start_line() {
    ++line_;
    line_begin_ = at_;
  }

  [[nodiscard]] std::string_view stops() const { return {stops_, sizeof stops_}; }
  [[nodiscard]] uint64_t column() const { return at_ - line_begin_ + 1; }
  [[nodiscard]] bool is_next(char letter) const {
    return at_ < text_.size() && text_[at_] == letter;
  }
  bool take(char letter) {
    const bool is_there = is_next(letter);
    at_ += is_there ? 1 : 0;
    return is_there;
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw_csv_error(what_, line_, column(), reason);
  }

  std::string_view text_;
  const std::string& what_;
  const char stops_[5];  // what ends a plain field
  const CsvLimits& limits_;
  size_t at_ = 0;
  size_t line_begin_ = 0;
  int64_t line_ = 1;
};

char separator_of(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const char separator : {',', ';', '\t'})
    if (line.find(separator) != line.npos) return separator;
  return ',';
}

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
  return CsvReader(text, what, separator, limits).rows();
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
  for (const CsvRow& row : parse_csv(text, what, separator_of(text))) {
    if (row.fields.size() == 1 && trim(row.fields[0]).empty()) continue;
    if (table.header.empty() && table.rows.empty() && is_header(row))
      table.header = row.fields;
    else
      table.rows.push_back({row.line, numbers_of(row, what)});
  }
  return table;
}

}  // namespace hearth
