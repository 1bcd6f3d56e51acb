// Tests of CSV.
#include "hearth/format/csv.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {

namespace {

using Fields = std::vector<std::vector<std::string>>;

Fields fields_of(std::string_view text, char separator = ',') {
  Fields fields;
  for (const CsvRow& row : parse_csv(text, "x.csv", separator)) fields.push_back(row.fields);
  return fields;
}

std::string csv_message(std::string_view text, const CsvLimits& limits = {}) {
  try {
    (void)parse_csv(text, "x.csv", ',', limits);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

std::string numbers_message(std::string_view line) {
  try {
    (void)parse_csv_numbers(line, "x.csv", 7);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

TEST(Csv, SplitsRowsAndFieldsWithEitherLineEnd) {
  const Fields expected = {{"a", "b"}, {"1", ""}, {"", "2"}};
  EXPECT_EQ(fields_of("a,b\n1,\n,2\n"), expected);
  EXPECT_EQ(fields_of("a,b\r\n1,\r\n,2"), expected);
  EXPECT_EQ(fields_of("a;b\n1;\n;2\n", ';'), expected);
  EXPECT_EQ(fields_of(""), Fields{});
}

TEST(Csv, TakesQuotedSeparatorsQuotesAndLineEnds) {
  EXPECT_EQ(fields_of("\"a,b\",\"say \"\"hi\"\"\"\n\"two\r\nlines\",\"\"\n"),
            (Fields{{"a,b", "say \"hi\""}, {"two\r\nlines", ""}}));
  EXPECT_EQ(fields_of("\"\"\"\""), Fields{{"\""}});
}

TEST(Csv, KeepsAnEmptyLineAsARow) {
  EXPECT_EQ(fields_of("a\n\nb\n"), (Fields{{"a"}, {""}, {"b"}}));
}

TEST(Csv, KeepsSpacesAndSkipsAByteOrderMark) {
  EXPECT_EQ(fields_of("\xef\xbb\xbf a , b\n"), (Fields{{" a ", " b"}}));
}

TEST(Csv, RowsKnowTheirLine) {
  const auto rows = parse_csv("a\n\"x\ny\"\nb\n", "x");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].line, 2);
  EXPECT_EQ(rows[2].line, 4);
}

TEST(Csv, SaysWhereItIsWrong) {
  EXPECT_EQ(
      csv_message("a,b\n1,x\"y\n"),
      "x.csv:2:4: a quote inside a field; put the whole field in quotes and double the quote.");
  EXPECT_EQ(csv_message("a\nb,\"c\nd"), "x.csv:2:3: the quote that opens here is never closed.");
  EXPECT_EQ(csv_message("\"a\"b\n"),
            "x.csv:1:4: expected a separator or the end of the line after the closing quote.");
  EXPECT_EQ(csv_message("a\rb\n"),
            "x.csv:1:3: a carriage return without a line feed; save the file with LF or CRLF.");
  EXPECT_EQ(csv_message(std::string_view("a,\0\n", 4)), "x.csv:1:3: a NUL byte; this is not text.");
  EXPECT_EQ(csv_message(std::string_view("\"\n\0\"", 4)),
            "x.csv:2:1: a NUL byte; this is not text.");
}

TEST(Csv, HoldsItsLimits) {
  EXPECT_EQ(csv_message("a\nb\n", {.rows = 1}), "x.csv:2:1: more than 1 rows.");
  EXPECT_EQ(csv_message("a,b", {.fields = 1}), "x.csv:1:3: more than 1 fields in a row.");
  EXPECT_EQ(csv_message("abc", {.bytes = 2}), "x.csv: has 3 B, the limit is 2 B.");
  EXPECT_EQ(csv_message("a\nb\n", {.rows = 2}), "no DataError");
}

TEST(CsvNumbers, ReadsALineOfNumbers) {
  EXPECT_EQ(parse_csv_numbers("1, -2.5,3e2\r", "x", 1), (std::vector<double>{1, -2.5, 300}));
  EXPECT_EQ(parse_csv_numbers("4;5", "x", 1, ';'), (std::vector<double>{4, 5}));
}

TEST(CsvNumbers, SaysWhichColumnIsNoNumber) {
  EXPECT_EQ(numbers_message("1,two,3"), "x.csv:7:3: expected a number, but found 'two'.");
  EXPECT_EQ(numbers_message("1,"), "x.csv:7:3: expected a number, but found nothing.");
  EXPECT_EQ(numbers_message(""), "x.csv:7:1: expected a number, but found nothing.");
}

}  // namespace

}  // namespace hearth
