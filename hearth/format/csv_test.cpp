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

using Numbers = std::vector<std::vector<double>>;

Numbers numbers_of_text(std::string_view text) {
  Numbers rows;
  for (const CsvNumbers::Row& row : parse_csv_numbers(text, "x.csv").rows)
    rows.push_back(row.values);
  return rows;
}

std::string numbers_message(std::string_view text) {
  try {
    (void)parse_csv_numbers(text, "x.csv");
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

TEST(CsvNumbers, AreTheSameHoweverTheFileWasSaved) {
  const Numbers expected = {{1, -2.5, 300}, {4, 5, 6}};
  for (const char* text :
       {"1,-2.5,3e2\n4,5,6\n", "1, -2.5,3e2\r\n4,5,6", "\"1\",\"-2.5\",300\n\n4,5,6\n",
        "\xef\xbb\xbf"
        "a,b,c\r\n1,-2.5,300\r\n4,5,6\r\n\r\n",
        "\"a, or b\",\"c\"\"d\",e\n1,-2.5,300\n4,5,6\n", "1;-2.5;300\n4;5;6\n",
        "x\ty\tz\n1\t-2.5\t300\n4\t5\t6\n"})
    EXPECT_EQ(numbers_of_text(text), expected) << text;
}

TEST(Csv, WritesLinesThatItReadsBack) {
  const Fields rows = {{"plain", "with, comma", ""}, {"a \"quoted\" word", "two\r\nlines", " x "}};
  EXPECT_EQ(fields_of(csv_line(rows[0]) + csv_line(rows[1])), rows);
  EXPECT_EQ(csv_line({"a", "b c"}), "a,b c\n");
}

TEST(CsvNumbers, HaveAHeaderWhereNoFieldOfTheFirstRowIsANumber) {
  EXPECT_EQ(parse_csv_numbers("a,\n1,2\n", "x").header, (std::vector<std::string>{"a", ""}));
  EXPECT_TRUE(parse_csv_numbers("0,1\n1,2\n", "x").header.empty());
  EXPECT_TRUE(parse_csv_numbers("a,b\n", "x").rows.empty());
  EXPECT_EQ(parse_csv_numbers("\na\n1\n", "x").rows.at(0).line, 3);
}

TEST(CsvNumbers, SayWhichColumnIsNoNumber) {
  EXPECT_EQ(numbers_message("1,two,3"), "x.csv:1:3: expected a number, but found 'two'.");
  EXPECT_EQ(numbers_message("a,b\r\n1,\"x\"\r\n"), "x.csv:2:3: expected a number, but found 'x'.");
  EXPECT_EQ(numbers_message("a,b\nc,d\n"), "x.csv:2:1: expected a number, but found 'c'.");
  EXPECT_EQ(numbers_message("1,"), "x.csv:1:3: expected a number, but found nothing.");
  EXPECT_EQ(numbers_message(",\n"), "x.csv:1:1: expected a number, but found nothing.");
}

}  // namespace

}  // namespace hearth
