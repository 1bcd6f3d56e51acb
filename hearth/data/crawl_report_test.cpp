// What a crawl found, for people and as JSON.
#include "hearth/data/crawl_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hearth {
namespace {

Crawled two_splits() {
  return {.annotations = {"class"},
          .names = {{"cat", "dog"}},
          .splits = {"test", "train"},
          .files = {{"a", 1}, {"b", 2}, {"c", 2}, {"d", 3}},
          .values = {0, 1, 1, 0},
          .left_out = {{"fits no pattern", 1200, "notes.txt"}}};
}

TEST(CrawlReport, CountsClassesOfEachSplitAndSaysWhatWasLeftOut) {
  EXPECT_EQ(crawl_text(two_splits(), "pets"),
            "pets\n"
            "  test: 2 files\n"
            "    class: 1 class: 'cat' 2\n"
            "  train: 3 files\n"
            "    class: 2 classes: 'dog' 2, 'cat' 1\n"
            "  Left out\n"
            "    1,200: fits no pattern, such as notes.txt\n");
}

TEST(CrawlReport, IsOneDocument) {
  const auto json = crawl_json(two_splits(), "pets");
  EXPECT_EQ(json["files"], 4);
  EXPECT_EQ(json["splits"]["train"]["annotations"]["class"]["dog"], 2);
  EXPECT_EQ(json["left_out"][0]["count"], 1200);
}

}  // namespace
}  // namespace hearth
