// Crawling folders: annotations of paths and tables, class numbers, splits, what is left out.
#include "hearth/data/sources/crawl.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/column.h"
#include "hearth/data/crawler.h"

namespace hearth {
namespace {

namespace fs = std::filesystem;
using sources::CrawlOptions;

class Crawling : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "crawled";
    fs::remove_all(folder_);
    for (const std::string path :
         {"train/cat/0007_c1_a.jpg", "train/cat/0007_c2_b.jpg", "train/dog/0010_c1_a.jpg",
          "query/dog/0009_c10_a.jpg", "gallery/dog/0009_c2_a.jpg", "gallery/emu/0100_c3_a.jpg",
          "gallery/emu/notes.txt"})
      write(path, "content of " + path);
    options_ = {.folder = folder_.string(),
                .patterns = {"{split}/{class}/{id:int}_c{camera:int}_{*}.jpg"},
                .content = "bytes"};
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& path, const std::string& content) const {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << content;
  }
  [[nodiscard]] std::unique_ptr<Source> open() const {
    auto source = registry<Source>().make(sources::crawl(options_));
    source->open();
    return source;
  }
  [[nodiscard]] std::vector<int64_t> values(const std::string& key) const {
    return whole_column(*open(), {"test", key});
  }
  [[nodiscard]] std::vector<std::string> names(const std::string& key) const {
    return column_spec(*open(), {"test", key}).class_names;
  }
  [[nodiscard]] std::string fault() const {
    return message_of<Error>([&] { (void)open(); });
  }

  fs::path folder_;
  CrawlOptions options_;
};

using Names = std::vector<std::string>;
using Numbers = std::vector<int64_t>;

TEST_F(Crawling, YieldsContentAndAClassForEachAnnotation) {
  options_.split = "train";
  const auto source = open();
  EXPECT_EQ(source->size(), 3);
  EXPECT_EQ(source->describe(0), "train/cat/0007_c1_a.jpg");
  EXPECT_EQ(text_column(*source, {"test", "bytes"})[0], "content of train/cat/0007_c1_a.jpg");
  EXPECT_EQ(source->keys().size(), 4U);
  EXPECT_EQ(values("class"), (Numbers{0, 0, 1}));
}

TEST_F(Crawling, NumbersClassesOverAllSplitsAndDigitsAsNumbers) {
  options_.split = "query";
  EXPECT_EQ(names("class"), (Names{"cat", "dog", "emu"}));
  EXPECT_EQ(names("id"), (Names{"7", "9", "10", "100"}));
  EXPECT_EQ(names("camera"), (Names{"1", "2", "3", "10"}));
  EXPECT_EQ(values("id"), (Numbers{1}));
  EXPECT_EQ(values("camera"), (Numbers{3}));
}

TEST_F(Crawling, NumbersWithinASplitWhenAsked) {
  options_.split = "gallery";
  options_.number_by_split = {"id"};
  EXPECT_EQ(values("id"), (Numbers{0, 1}));
  EXPECT_EQ(column_spec(*open(), {"test", "id"}).classes, 2);
  EXPECT_EQ(names("id"), Names{});
  EXPECT_EQ(values("class"), (Numbers{1, 2}));
}

TEST_F(Crawling, SplitsSeenFromUnseenClasses) {
  options_.splits = {{"seen", {.except = {{"class", {"emu"}}}}},
                     {"unseen", {.where = {{"class", {"emu"}}}}}};
  options_.split = "seen";
  EXPECT_EQ(values("class"), (Numbers{1, 1, 0, 0, 1}));
  options_.split = "unseen";
  EXPECT_EQ(values("class"), (Numbers{2}));
  options_.split = "sen";
  EXPECT_EQ(fault(), "crawl: there is no split 'sen'. Did you mean 'seen'?");
}

TEST_F(Crawling, JoinsTablesBesideTheFiles) {
  write("colors.csv", "file,color\n0007_c1_a.jpg,1\n0007_c2_b.jpg,2\n0010_c1_a.jpg,9\n");
  write("ages.jsonl", "{\"id\": \"7\", \"age\": 12}\n{\"id\": \"10\", \"age\": 3}\n");
  options_.split = "train";
  options_.side_files = {{.file = (folder_ / "colors.csv").string()},
                         {.file = (folder_ / "ages.jsonl").string(), .key = "id", .on = "id"}};
  options_.classes = {{"color", {{"1", "red"}, {"2", "blue"}}}};
  EXPECT_EQ(names("color"), (Names{"blue", "red"}));
  EXPECT_EQ(values("color"), (Numbers{1, 0}));
  EXPECT_EQ(names("age"), (Names{"12"}));
  const Crawled found = crawl_folder(options_);
  ASSERT_EQ(found.left_out.size(), 3U);
  EXPECT_EQ(found.left_out[0].reason, "fits no pattern");
  EXPECT_EQ(found.left_out[0].count, 3);
  EXPECT_EQ(found.left_out[1].reason, "has no row in colors.csv");
  EXPECT_EQ(found.left_out[1].count, 3);
  EXPECT_EQ(found.left_out[2].reason, "its color is not among `classes`");
  EXPECT_EQ(found.left_out[2].example, "train/dog/0010_c1_a.jpg");
}

TEST_F(Crawling, FiltersByValues) {
  options_.where = {{"camera", {"1", "2"}}};
  options_.except = {{"class", {"cat"}}};
  EXPECT_EQ(open()->size(), 2);
  options_.where = {{"camara", {"1"}}};
  EXPECT_EQ(fault(), "crawl: there is no annotation 'camara'. Did you mean 'camera'?");
}

TEST_F(Crawling, SaysWhyNothingIsLeft) {
  options_.patterns = {"{class}/{*}.png"};
  EXPECT_EQ(fault(), "crawl: " + folder_.string() +
                         ": split 'all' has no files. 7: fits no pattern, such as "
                         "'gallery/dog/0009_c2_a.jpg'.");
  options_.patterns = {"{class}/{*}.png", "{kind}/{*}.png"};
  EXPECT_EQ(fault(),
            "crawl: all patterns must have the same fields, but '{class}/{*}.png' has no 'kind', "
            "which '{kind}/{*}.png' has.");
  options_.folder = (folder_ / "nowhere").string();
  options_.patterns = {"{class}"};
  EXPECT_EQ(fault(), "Cannot open the folder '" + options_.folder + "': there is none.");
}

TEST_F(Crawling, SideFilesSayWhereTheyAreWrong) {
  const std::string file = (folder_ / "colors.csv").string();
  options_.side_files = {{.file = file}};
  write("colors.csv", "name,color\n");
  EXPECT_EQ(fault(), "'file' is no column of " + file + ". Known: name, color.");
  write("colors.csv", "file,color\na,1\na,2\n");
  EXPECT_EQ(fault(), file + ":3: 'a' stands here again, after line 2.");
  write("colors.csv", "file,color\na\n");
  EXPECT_EQ(fault(), file + ":2: has 1 fields, but the header has 2.");
  write("colors.csv", "file,class\na,b\n");
  EXPECT_EQ(fault(), "crawl: the annotation 'class' of '" + file +
                         "' is there already. Name the wanted ones under columns.");
}

TEST_F(Crawling, FingerprintsTellOtherContentAndOtherClasses) {
  const std::string before = open()->fingerprint();
  EXPECT_EQ(before, open()->fingerprint());
  write("train/cat/0007_c1_a.jpg", "content of train/cat/0007_c1_x.jpg");
  const std::string changed = open()->fingerprint();
  EXPECT_NE(before, changed);
  options_.classes = {{"class", {{"cat", "cat"}, {"dog", "dog"}, {"emu", "bird"}}}};
  EXPECT_NE(changed, open()->fingerprint());
}

}  // namespace
}  // namespace hearth
