// Expressions beside what one works out by hand, and texts that are none.
#include "hearth/core/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

TEST(Expression, ComputesAsOneReadsIt) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"1 + 2 * 3", 7},       {"(1+2)*3", 9},       {"8 - 4 - 2", 2},     {"8 / 4 / 2", 1},
      {"2 ^ 3 ^ 2", 512},     {"-2 ^ 2", -4},       {"2 ^ -1", 0.5},      {"--3", 3},
      {"max(1, 2) * 3", 6},   {"min(4, 2 + 1)", 3}, {"sqrt(abs(-9))", 3}, {"log(exp(1.5))", 1.5},
      {"1.5e-3 * 1000", 1.5}, {".5", 0.5},          {" 7 ", 7},           {"+4", 4}};
  for (const auto& [text, value] : cases)
    EXPECT_DOUBLE_EQ(Expression::parse(text).value({}), value) << text;
}

TEST(Expression, NamesEachNumberOnce) {
  const Expression expression =
      Expression::parse("2 * precision * recall / (precision + recall) + 'f1/macro'");
  EXPECT_THAT(expression.names(), testing::ElementsAre("precision", "recall", "f1/macro"));
  EXPECT_DOUBLE_EQ(expression.value({0.5, 1, 10}), 10 + 2.0 / 3);
}

TEST(Expression, OfNothingByNothingIsNoNumber) {
  EXPECT_TRUE(std::isnan(Expression::parse("a / a").value({0})));
  EXPECT_TRUE(std::isnan(Expression::parse("max(a, 1)").value({std::nan("")})));
  EXPECT_TRUE(std::isnan(Expression::parse("min(1, a)").value({std::nan("")})));
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "at letter 1 it ends where a number, a name or '(' was expected."},
      {"1 +", "at letter 4 it ends where a number, a name or '(' was expected."},
      {"(1", "at letter 3 it ends where ')' was expected."},
      {"1 2", "at letter 3 found '2' where an operator or the end was expected."},
      {"a b", "at letter 3 found 'b' where an operator or the end was expected."},
      {"max(1)", "at letter 6 found ')' where ',' and another argument of max was expected."},
      {"'open", "at letter 2 found 'o' where a name and the quote behind it was expected."},
      {"2 $ 3", "at letter 3 found '$' where an operator or the end was expected."},
      {"sqr(4)",
       "has no function 'sqr' to call. Did you mean 'sqrt'? There are: abs, exp, log, "
       "max, min, sqrt."}};
  for (const auto& [text, message] : cases)
    EXPECT_THAT(message_of<ConfigError>([&text = text] { (void)Expression::parse(text); }),
                testing::EndsWith(message))
        << text;
}

TEST(Expression, DoesNotFollowBracketsForEver) {
  EXPECT_THROW((void)Expression::parse(std::string(2000, '(')), ConfigError);
  EXPECT_THROW((void)Expression::parse(std::string(5000, '1')), ConfigError);
  std::string powers = "2";
  for (int i = 0; i < 900; ++i) powers += "^1";
  EXPECT_THROW((void)Expression::parse(powers), ConfigError);
}

}  // namespace
}  // namespace hearth
