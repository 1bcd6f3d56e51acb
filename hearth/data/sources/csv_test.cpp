// Tests of the csv source.
#include "hearth/data/sources/csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/sample_of_test.h"

namespace hearth {
namespace {

using testing_data::floats_of;
using testing_data::number_of;
using testing_data::text_of;
using testing_data::TextFile;

std::shared_ptr<Source> opened(const sources::CsvOptions& options) {
  std::shared_ptr<Source> source = registry<Source>().make(sources::csv(options));
  source->open();
  return source;
}

std::string open_fault(const sources::CsvOptions& options) {
  return message_of<Error>([&] { (void)opened(options); });
}

using Floats = std::vector<float>;
using Names = std::vector<std::string>;

TEST(CsvSource, MakesNumbersFeaturesAndTheTargetALabel) {
  const TextFile file("a,b,price\n1,2.5,10\n-3,4e1,20\n");
  const auto source = opened({.file = {file.path}, .target = {"price"}});
  ASSERT_EQ(source->size(), 2);
  const auto keys = source->keys();
  EXPECT_EQ(keys[0].key, "features");
  EXPECT_EQ(keys[0].spec.columns, (Names{"a", "b"}));
  EXPECT_EQ(keys[1].key, "label");
  EXPECT_EQ(keys[1].spec.text(), "float32 [B]");
  EXPECT_EQ(floats_of(*source, "features", 1), (Floats{-3, 40}));
  EXPECT_EQ(floats_of(*source, "label", 1), Floats{20});
}

TEST(CsvSource, IsTheSameHoweverTheFileWasSaved) {
  for (const char* text :
       {"a,b\n1,x\n2,y\n", "a,b\r\n1,x\r\n2,y", "\xef\xbb\xbf\"a\";\"b\"\n\"1\";\"x\"\n\n 2 ; y \n",
        "a\tb\n1\tx\n2\ty\n"}) {
    const TextFile file(text);
    const auto source = opened({.file = {file.path}});
    ASSERT_EQ(source->size(), 2) << text;
    EXPECT_EQ(floats_of(*source, "features", 1), Floats{2}) << text;
    EXPECT_EQ(source->keys()[1].spec.class_names, (Names{"(missing)", "x", "y"})) << text;
    EXPECT_EQ(number_of(*source, "b", 1), 2) << text;
  }
}

TEST(CsvSource, MissingNumbersAreNoNumberAndMissingCategoriesTheFirstClass) {
  const TextFile file("a,b\n,x\nNA,\n3,null\n");
  const auto source = opened({.file = {file.path}});
  EXPECT_TRUE(std::isnan(floats_of(*source, "features", 0)[0]));
  EXPECT_TRUE(std::isnan(floats_of(*source, "features", 1)[0]));
  EXPECT_EQ(number_of(*source, "b", 0), 1);
  EXPECT_EQ(number_of(*source, "b", 1), 0);
  EXPECT_EQ(number_of(*source, "b", 2), 0);
}

TEST(CsvSource, TakesNumbersThatStandForNothing) {
  const TextFile file("a,b\n-999,x\n3,-999\n");
  const auto source = opened({.file = {file.path}, .missing = {"-999"}});
  EXPECT_TRUE(std::isnan(floats_of(*source, "features", 0)[0]));
  EXPECT_EQ(floats_of(*source, "features", 1), Floats{3});
  EXPECT_EQ(number_of(*source, "b", 1), 0);
}

TEST(CsvSource, TakesDatesAsDaysOrParts) {
  const TextFile file("when,then\n1970-01-02,2024-02-29 13:30\n");
  const auto source = opened({.file = {file.path}, .columns = {{"then", {"date_parts"}}}});
  EXPECT_EQ(source->keys()[0].spec.columns, (Names{"when.days", "then.year", "then.month",
                                                   "then.day", "then.weekday", "then.hour"}));
  EXPECT_EQ(floats_of(*source, "features", 0), (Floats{1, 2024, 2, 29, 3, 13.5}));
}

TEST(CsvSource, NumbersClassesByValueAndSeveralTargetsByName) {
  const TextFile file("x,grade,kind\n1,10,b\n2,2,a\n3,10,b\n");
  const auto source = opened(
      {.file = {file.path}, .target = {"grade", "kind"}, .columns = {{"grade", {"category"}}}});
  EXPECT_EQ(source->keys()[1].key, "grade");
  EXPECT_EQ(source->keys()[1].spec.class_names, (Names{"2", "10"}));
  EXPECT_EQ(source->keys()[1].spec.role, Role::kClass);
  EXPECT_EQ(number_of(*source, "grade", 0), 1);
  EXPECT_EQ(number_of(*source, "kind", 1), 0);
}

TEST(CsvSource, TakesVocabulariesFromTheConfigOrAnotherFile) {
  const TextFile train("size\nsmall\nlarge\nhuge\n");
  const TextFile eval("size\nlarge\n");
  const auto like = opened({.file = {eval.path}, .like = train.path});
  EXPECT_EQ(like->keys()[0].spec.class_names, (Names{"(missing)", "huge", "large", "small"}));
  EXPECT_EQ(number_of(*like, "size", 0), 2);
  const auto given = opened(
      {.file = {train.path}, .columns = {{"size", {"small", "large"}}}, .unknown = "missing"});
  EXPECT_EQ(number_of(*given, "size", 1), 2);
  EXPECT_EQ(number_of(*given, "size", 2), 0);
  EXPECT_EQ(open_fault({.file = {train.path}, .columns = {{"size", {"small", "large"}}}}),
            train.path +
                ":4:1: column 'size' has no value 'huge'. Known: small, large. With "
                "unknown: missing, it counts as missing.");
}

TEST(CsvSource, ChangesItsMindAboutAColumnThatShowsWhatItIsLate) {
  std::string text = "id,late,empty,when\n";
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + ",5,,2020-01-01\n";
  text += "7,six,1.5,soon\n";
  const TextFile file(text);
  const auto source = opened({.file = {file.path}});
  EXPECT_EQ(source->size(), 200'001);
  EXPECT_EQ(source->keys()[0].spec.columns, (Names{"id", "empty"}));
  EXPECT_EQ(source->keys()[1].spec.class_names, (Names{"(missing)", "5", "six"}));
  EXPECT_EQ(floats_of(*source, "features", 200'000), (Floats{7, 1.5}));
  EXPECT_EQ(number_of(*source, "when", 200'000), 2);
  EXPECT_EQ(source->describe(200'000), fs::path(file.path).filename().string() + ":200002");
}

TEST(CsvSource, ReadsSeveralFilesAndTexts) {
  const TextFile first("a,note\n1,\"two\nlines, \"\"quoted\"\"\"\n2,b\n");
  const TextFile second("a,note\n3,c\n");
  const auto source = opened({.file = {first.path, second.path}, .columns = {{"note", {"text"}}}});
  EXPECT_EQ(source->size(), 3);
  EXPECT_EQ(text_of(*source, "note", 0), "two\nlines, \"quoted\"");
  EXPECT_EQ(text_of(*source, "note", 2), "c");
  EXPECT_EQ(source->describe(1), fs::path(first.path).filename().string() + ":4");
  EXPECT_EQ(source->describe(2), fs::path(second.path).filename().string() + ":2");
}

TEST(CsvSource, NamesColumnsWithoutAHeader) {
  const TextFile file("1,x\n2,y\n");
  EXPECT_EQ(opened({.file = {file.path}})->keys()[0].spec.columns, Names{"column_1"});
  EXPECT_EQ(opened({.file = {file.path}, .header = "yes"})->size(), 1);
}

TEST(CsvSource, SaysWhatIsWrongAndWhere) {
  const TextFile file("a,b\n1,2\n3,4,5\n");
  EXPECT_EQ(open_fault({.file = {file.path}}),
            file.path + ":3:1: has 3 fields, but the table has 2 columns. Is the separator right?");
  const TextFile words("a,b\n1,x\n3,y\n");
  EXPECT_EQ(open_fault({.file = {words.path}, .target = {"c"}}),
            "'c' is no column of " + words.path + ". Known: a, b.");
  EXPECT_EQ(open_fault({.file = {words.path}, .columns = {{"b", {"number"}}}}),
            words.path +
                ":2:3: expected a number in column 'b', but found 'x'. Mend it, or list "
                "it under `missing`.");
  EXPECT_EQ(open_fault({.file = {words.path}, .columns = {{"b", {"categroy"}}}}),
            "columns: 'b' is said to be 'categroy', which is no kind of column. Did you mean "
            "'category'? Or list the values of a category: [small, large].");
  const TextFile huge("a\n1\ninf\n");
  EXPECT_EQ(open_fault({.file = {huge.path}}),
            huge.path +
                ":3:1: 'inf' in column 'a' is no finite number as float32. Mend it, or "
                "list it under `missing`.");
  const TextFile target("a,t\n1,\n");
  EXPECT_EQ(open_fault({.file = {target.path}, .target = {"t"}}),
            target.path + ":2:3: the target 't' is missing.");
  const TextFile twice("a,a\n1,2\n");
  EXPECT_EQ(open_fault({.file = {twice.path}}),
            twice.path + ":1: two columns are called 'a'. Give each a name of its own.");
  const TextFile empty("");
  EXPECT_EQ(open_fault({.file = {empty.path}}), empty.path + " is empty.");
  const TextFile header("a,b\n");
  EXPECT_EQ(open_fault({.file = {header.path}}), header.path + ": holds no row.");
}

TEST(CsvSource, HoldsTheNumberOfGuessedCategories) {
  std::string text = "a,b\n";
  for (int i = 0; i < 20'000; ++i) text += "1,w" + std::to_string(i) + "\n";
  const TextFile file(text);
  EXPECT_EQ(open_fault({.file = {file.path}}),
            "column 'b' has more than 10,000 different texts. Say under `columns` what it is: "
            "number, date, text, skip or category.");
  EXPECT_EQ(opened({.file = {file.path}, .columns = {{"b", {"category"}}}})->keys()[1].spec.classes,
            20'001);
}

std::vector<std::string> opening_notes(const sources::CsvOptions& options) {
  std::vector<std::string> notes;
  const ListenToWork listening(
      {.on_note = [&](const std::string& note) { notes.push_back(note); }});
  (void)opened(options);
  return notes;
}

TEST(CsvSource, SaysWhenAFewTextsMakeCategoriesOfNumbers) {
  std::string text = "a,when,color\n";
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + ",2020-01-02,red\n";
  const TextFile spoilt(text + "7,2020-01-02,5\n1.5x,soon,red\n");
  const std::vector<std::string> notes = opening_notes({.file = {spoilt.path}});
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0], spoilt.path +
                          ": column 'a' is taken for categories, as '1.5x' is no number, though "
                          "most of its values are. Say columns: {a: category} if that is right, "
                          "a: number to be shown where it stands, or list the text under "
                          "`missing`.");
  EXPECT_TRUE(notes[1].starts_with(spoilt.path + ": column 'when' is taken for categories, as "
                                                 "'soon' is no date,"))
      << notes[1];
  const Names category = {"category"};
  EXPECT_EQ(
      opening_notes({.file = {spoilt.path}, .columns = {{"a", category}, {"when", category}}}),
      Names());
  EXPECT_EQ(opening_notes({.file = {spoilt.path}, .missing = {"1.5x", "soon"}}), Names());
  const TextFile mixed(text + "x,,\ny,,\nz,,\n");  // too many to be slips
  EXPECT_EQ(opening_notes({.file = {mixed.path}}), Names());
}

// Three blocks of rows: in memory, one or two of them, or none.
TEST(CsvSource, RowsBeyondItsMemoryLieInAFileAndAreTheSame) {
  const char* const colors[] = {"red", "green", "blue"};
  std::string text = "number,color,note\n";
  for (int i = 0; i < 300'000; ++i)
    text += std::to_string(i) + "," + colors[i % 3] + ",note of " + std::to_string(i) + "\n";
  const TextFile file(text);
  std::vector<std::string> notes;
  const ListenToWork listening(
      {.on_note = [&](const std::string& note) { notes.push_back(note); }});
  const auto with = [&](int64_t megabytes) {
    return opened({.file = {file.path}, .columns = {{"note", {"text"}}}, .megabytes = megabytes});
  };
  const auto in_memory = with(1024);
  EXPECT_TRUE(notes.empty());
  for (const int64_t megabytes : {1, 6}) {
    const auto overflowing = with(megabytes);
    ASSERT_EQ(overflowing->size(), in_memory->size());
    for (int64_t i = 0; i < in_memory->size(); i += 997) {
      EXPECT_EQ(floats_of(*overflowing, "features", i), floats_of(*in_memory, "features", i));
      EXPECT_EQ(number_of(*overflowing, "color", i), number_of(*in_memory, "color", i));
      EXPECT_EQ(text_of(*overflowing, "note", i), "note of " + std::to_string(i));
      EXPECT_EQ(overflowing->describe(i), in_memory->describe(i));
    }
  }
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_TRUE(notes[0].starts_with(file.path + ": the table takes more than the 1.0 MiB of memory"))
      << notes[0];
}

}  // namespace
}  // namespace hearth
