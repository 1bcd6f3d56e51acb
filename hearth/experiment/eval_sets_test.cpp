// Evaluation sets in a config: one, or several by name.
#include <gtest/gtest.h>

#include "hearth/config/chosen.h"
#include "hearth/config/yaml.h"
#include "hearth/experiment/options.h"

namespace hearth {
namespace {

Choice<Source> source(const std::string& name) { return {name, Node::map()}; }

NamedChoices<Source> read(const std::string& text) {
  return TypeOf<NamedChoices<Source>>::read(parse_yaml(text, "test"));
}

TEST(EvalSets, OneHasNoName) {
  for (const std::string text : {"digits", "{digits: {split: test}}", "{subset: {of: digits}}"}) {
    const auto sets = read(text);
    ASSERT_EQ(sets.all().size(), 1U) << text;
    EXPECT_EQ(sets.all()[0].first, "") << text;
  }
  EXPECT_TRUE(TypeOf<NamedChoices<Source>>::read(Node()).all().empty());
}

TEST(EvalSets, SeveralHaveNamesAndKeepTheirOrder) {
  const auto sets = read("{noisy: synthetic, clean: {digits: {split: test}}}");
  ASSERT_EQ(sets.all().size(), 2U);
  EXPECT_EQ(sets.all()[0].first, "noisy");
  EXPECT_EQ(sets.all()[1].first, "clean");
  EXPECT_EQ(sets.all()[1].second.name(), "digits");
  EXPECT_EQ(read("{only: digits}").all()[0].first, "only");
}

TEST(EvalSets, ComeBackFromTheirNode) {
  const NamedChoices<Source> several = {{"a", source("digits")}, {"b", source("synthetic")}};
  const auto back =
      TypeOf<NamedChoices<Source>>::read(TypeOf<NamedChoices<Source>>::write(several));
  ASSERT_EQ(back.all().size(), 2U);
  EXPECT_EQ(back.all()[1].first, "b");
  EXPECT_EQ(back.all()[1].second.node(), several.all()[1].second.node());
  const auto one = TypeOf<NamedChoices<Source>>::write(source("digits"));
  EXPECT_EQ(TypeOf<NamedChoices<Source>>::read(one).all()[0].first, "");
}

TEST(EvalSets, AMisspeltComponentIsNoSet) {
  const std::vector<std::string> known = {"digits", "split", "synthetic"};
  EXPECT_TRUE(is_lone_component(parse_yaml("{digts: {split: test}}", "test"), known));
  EXPECT_TRUE(is_lone_component(parse_yaml("digts", "test"), known));
  EXPECT_FALSE(is_lone_component(parse_yaml("{a: digits, b: digts}", "test"), known));
  EXPECT_TRUE(is_lone_component(parse_yaml("{type: digits, split: test}", "test"), known));
}

}  // namespace
}  // namespace hearth
