// Tests of classes by number.
#include "hearth/core/class_numbers.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

std::string difference(std::vector<std::string> first, std::vector<std::string> second) {
  const Spec here{.class_names = std::move(first)};
  const Spec there{.class_names = std::move(second)};
  return class_difference({here, "a"}, {there, "b"}).value_or("none");
}

TEST(ClassNumbers, MeanTheSameWhereNamesAgreeOrThereAreNone) {
  EXPECT_EQ(difference({"cat", "dog"}, {"cat", "dog"}), "none");
  EXPECT_EQ(difference({"cat", "dog"}, {}), "none");
  EXPECT_EQ(difference({}, {}), "none");
}

TEST(ClassNumbers, DifferAtTheFirstNameThatDoes) {
  EXPECT_EQ(difference({"cat", "dog"}, {"cat", "fish"}), "class 1 is 'dog' in a, but 'fish' in b");
  EXPECT_EQ(difference({"cat", "dog"}, {"cat"}), "class 1 is 'dog' in a, but missing in b");
  EXPECT_EQ(difference({"cat"}, {"cat", "dog"}), "class 1 is missing in a, but 'dog' in b");
}

}  // namespace
}  // namespace hearth
