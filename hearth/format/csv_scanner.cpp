// One pass over the text, a field at a time.
#include "hearth/format/csv_scanner.h"

#include <cstring>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

void throw_csv_error(const std::string& what, int64_t line, uint64_t column,
                     const std::string& reason) {
  throw DataError(what + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + reason);
}

CsvScanner::CsvScanner(std::span<char> text, std::string what, char separator, int64_t first_line,
                       uint64_t most_fields)
    : at_(text.data()),
      end_(text.data() + text.size()),
      line_begin_(text.data()),
      what_(std::move(what)),
      separator_(separator),
      line_(first_line),
      row_line_(first_line),
      most_fields_(most_fields) {
  // Spreadsheets write a mark.
  if (first_line == 1 && std::string_view(at_, text.size()).starts_with("\xef\xbb\xbf"))
    line_begin_ = at_ += 3;
}

bool CsvScanner::next(std::vector<CsvField>& fields) {
  fields.clear();
  if (at_ == end_) return false;
  row_line_ = line_;
  do {
    if (fields.size() == most_fields_)
      fail("more than " + human_count(most_fields_) + " fields in a row.");
    fields.push_back(at_ < end_ && *at_ == '"' ? quoted_field() : plain_field());
  } while (take(separator_));
  end_line();
  return true;
}

CsvField CsvScanner::plain_field() {
  const char* begin = at_;
  while (at_ < end_ && !is_stop(*at_)) ++at_;
  if (at_ < end_ && *at_ == '"')
    fail("a quote inside a field; put the whole field in quotes and double the quote.");
  return {{begin, static_cast<size_t>(at_ - begin)}, column_of(begin)};
}

CsvField CsvScanner::quoted_field() {
  const int64_t first_line = line_;
  const uint64_t first_column = column_of(at_);
  char* const begin = ++at_;
  char* into = begin;
  while (true) {
    if (at_ == end_)
      throw_csv_error(what_, first_line, first_column,
                      "the quote that opens here is never closed.");
    const char letter = *at_;
    if (letter == '\0') fail("a NUL byte; this is not text.");
    ++at_;
    if (letter == '"' && !take('"')) break;
    if (letter == '\n') start_line();
    *into++ = letter;
  }
  if (at_ < end_ && !is_stop(*at_))
    fail("expected a separator or the end of the line after the closing quote.");
  return {{begin, static_cast<size_t>(into - begin)}, first_column};
}

void CsvScanner::end_line() {
  if (at_ == end_) return;
  const bool has_return = take('\r');
  if (!take('\n')) {
    fail(has_return ? "a carriage return without a line feed; save the file with LF or CRLF."
                    : "a NUL byte; this is not text.");
  }
  start_line();
}

void CsvScanner::start_line() {
  ++line_;
  line_begin_ = at_;
}

bool CsvScanner::take(char letter) {
  const bool is_there = at_ < end_ && *at_ == letter;
  at_ += is_there ? 1 : 0;
  return is_there;
}

void CsvScanner::fail(const std::string& reason) const {
  throw_csv_error(what_, line_, column_of(at_), reason);
}

}  // namespace hearth
