// Named fields in paths.
#include "hearth/data/path_pattern.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

// The values in brackets, or "no".
std::string matched(const std::string& pattern, const std::string& path) {
  std::vector<std::string_view> values;
  std::vector<uint8_t> work;
  if (!PathPattern(pattern).match(path, values, work)) return "no";
  std::string text;
  for (const std::string_view value : values) text += "[" + std::string(value) + "]";
  return text;
}

TEST(PathPattern, NamesPartsOfPaths) {
  const std::string pattern = "{split}/{class}/{id}_c{camera:int}_{*}.jpg";
  EXPECT_EQ(matched(pattern, "train/cat/0001_c12_x.jpg"), "[train][cat][0001][12]");
  EXPECT_EQ(matched(pattern, "train/cat/a_cb_c3_.jpg"), "[train][cat][a_cb][3]");
  EXPECT_EQ(matched(pattern, "train/cat/0001_cx_x.jpg"), "no");
  EXPECT_EQ(matched(pattern, "cat/0001_c1_x.jpg"), "no");
  EXPECT_EQ(matched(pattern, "a/train/cat/0001_c1_x.jpg"), "no");
}

TEST(PathPattern, StarsStandForAnything) {
  EXPECT_EQ(matched("{**}.png", "a/b/c.png"), "");
  EXPECT_EQ(matched("{*}.png", "a/c.png"), "no");
  EXPECT_EQ(matched("x{*}{{{a}}", "x{1}"), "[1]");
  EXPECT_EQ(matched("{**}/{class}/{*}", "one/two/three/four"), "[three]");
}

TEST(PathPattern, TakesNoLongerThanThePathIsLong) {
  const std::string path(4000, 'a');
  EXPECT_EQ(matched("{a}a{b}a{c}a{d}a{e}a{f}b", path), "no");
}

std::string fault_of(const std::string& pattern) {
  return message_of<ConfigError>([&] { (void)PathPattern(pattern); });
}

TEST(PathPattern, PointsAtWhatIsWrong) {
  EXPECT_EQ(fault_of("{split}/{class"),
            "pattern '{split}/{class', column 9: a field starts here, but has no '}'.");
  EXPECT_EQ(fault_of("x{id:integer}"),
            "pattern 'x{id:integer}', column 6: 'integer' is no kind of field. Known: int, or none "
            "for a text.");
  EXPECT_EQ(fault_of("{a}/{a}"), "pattern '{a}/{a}', column 5: the field 'a' stands here again.");
  EXPECT_EQ(fault_of("{a}{b}"),
            "pattern '{a}{b}', column 4: a field follows another without a text between them, so "
            "that nothing says where the first one ends.");
  EXPECT_EQ(fault_of(""), "pattern '', column 1: it is empty.");
  EXPECT_EQ(fault_of("{}"),
            "pattern '{}', column 1: a field must have a name of letters, digits and _, such as "
            "{class}, or be {*} or {**}.");
}

}  // namespace
}  // namespace hearth
