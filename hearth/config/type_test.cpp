// Types in words.
#include "hearth/config/type.h"

#include <gtest/gtest.h>

#include "hearth/config/sample_catalog_test.h"

namespace hearth {
namespace {

TEST(Type, LabelsAreWords) {
  EXPECT_EQ(TypeOf<bool>::type().label(), "boolean");
  EXPECT_EQ(TypeOf<int64_t>::type().label(), "integer");
  EXPECT_EQ(TypeOf<double>::type().label(), "number");
  EXPECT_EQ(TypeOf<Time>::type().label(), "time");
  EXPECT_EQ(TypeOf<Modes>::type().label(), "modes");
  EXPECT_EQ(TypeOf<std::vector<std::string>>::type().label(), "list of text");
  EXPECT_EQ((TypeOf<std::map<std::string, int64_t>>::type().label()), "map of integer");
  EXPECT_EQ(TypeOf<std::optional<double>>::type().label(), "number or null");
  EXPECT_EQ(TypeOf<Choice<Optimizer>>::type().label(), "optimizer");
  EXPECT_EQ(TypeOf<sample::SgdOptions>::type().label(), "options");
  EXPECT_EQ(sample::AdamwOptions::schema().info().find("lr")->type.label(), "number or schedule");
  EXPECT_EQ(sample::SaveOptions::schema().info().find("keep")->type.label(),
            "one of best, last, all");
}

Type ruled(std::initializer_list<std::function<void(Field&)>> rules, Type type = {}) {
  Field field{"x", "", std::move(type), {}, false};
  for (const auto& rule : rules) rule(field);
  return field.type;
}

TEST(Type, RulesAreWords) {
  const auto least = [](Field& field) { at_least(1).apply(field); };
  const auto most = [](Field& field) { at_most(2.5).apply(field); };
  const auto over = [](Field& field) { above(0).apply(field); };
  const auto under = [](Field& field) { below(1).apply(field); };
  const auto filled = [](Field& field) { not_empty().apply(field); };
  EXPECT_EQ(ruled({}).rule(), "");
  EXPECT_EQ(ruled({least}).rule(), "at least 1");
  EXPECT_EQ(ruled({least, most}).rule(), "at least 1 and at most 2.5");
  EXPECT_EQ(ruled({over, under}).rule(), "above 0 and below 1");
  EXPECT_EQ(ruled({filled}).rule(), "not empty");
  EXPECT_EQ(ruled({over, filled}, TypeOf<std::vector<double>>::type()).rule(),
            "not empty, each above 0");
}

TEST(Type, OneOfReachesIntoLists) {
  const auto words = [](Field& field) { one_of({"a", "b"}).apply(field); };
  EXPECT_EQ(ruled({words}, TypeOf<std::vector<std::string>>::type()).label(),
            "list of one of a, b");
}

TEST(SchemaInfo, FindsFieldsByName) {
  const SchemaInfo& info = sample::SgdOptions::schema().info();
  EXPECT_EQ(info.names(), (std::vector<std::string>{"lr", "momentum", "nesterov"}));
  EXPECT_EQ(info.find("momentum")->help, "Momentum.");
  EXPECT_EQ(info.find("moment"), nullptr);
}

}  // namespace
}  // namespace hearth
