// Names by pattern.
#include "hearth/base/pattern.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(Pattern, WithoutStarsIsTheNameItself) {
  EXPECT_TRUE(matches("stem.weight", "stem.weight"));
  EXPECT_FALSE(matches("stem", "stem.weight"));
  EXPECT_FALSE(matches("stem.weight", "stem"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
}

TEST(Pattern, TakesAnyLettersForAStarAndOneForAQuestionMark) {
  EXPECT_TRUE(matches("*.bias", "layer1.0.bn1.bias"));
  EXPECT_TRUE(matches("layer1.*.conv?", "layer1.0.conv2"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*", "a"));
  EXPECT_FALSE(matches("layer1.*.conv?", "layer1.0.conv"));
  EXPECT_FALSE(matches("?", ""));
}

TEST(Pattern, TriesLaterPlacesForWhatFollowsAStar) {
  EXPECT_TRUE(matches("*ab", "aab"));
  EXPECT_TRUE(matches("a*b*c", "axbxbxc"));
  EXPECT_FALSE(matches("a*b*c", "axbxbx"));
}

}  // namespace
}  // namespace hearth
