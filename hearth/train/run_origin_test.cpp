// What weights say of the config they were trained with.
#include "hearth/train/run_origin.h"

#include <gtest/gtest.h>

#include "hearth/config/yaml.h"

namespace hearth {
namespace {

std::vector<std::string> differences(const std::string& before, const std::string& now) {
  return config_differences(parse_yaml(before, "before"), parse_yaml(now, "now"));
}

TEST(RunOrigin, NamesEveryOptionThatDiffersByItsPath) {
  EXPECT_EQ(differences("{seed: 0, a: {b: [1, {lr: 2}]}}", "{seed: 5, a: {b: [1, {lr: 3}]}}"),
            (std::vector<std::string>{"a.b[1].lr: 2 then, 3 now", "seed: 0 then, 5 now"}));
}

TEST(RunOrigin, NamesWhatOnlyOneOfTwoConfigsHas) {
  EXPECT_EQ(differences("{a: 1, list: [1]}", "{b: 2, list: [1, 2]}"),
            (std::vector<std::string>{"a: 1 then, not given now", "b: not given then, 2 now",
                                      "list: [1] then, [1, 2] now"}));
}

TEST(RunOrigin, ComesBackFromAStateAsItWas) {
  const RunOrigin origin{parse_yaml("{seed: 0, text: \"1\"}", "origin"),
                         {{"image", {.dtype = DType::kFloat32, .shape = {1, 8, 8}}}}};
  State state;
  origin.add_to(state);
  EXPECT_TRUE(origin_differences(*RunOrigin::of(state), origin).empty());
  EXPECT_EQ(RunOrigin::of(state)->digest(), origin.digest());
  RunOrigin other = origin;
  other.specs[0].spec.shape = {1, 9, 9};
  EXPECT_EQ(origin_differences(origin, other).size(), 1U);
  EXPECT_FALSE(RunOrigin::of(State()).has_value());
}

}  // namespace
}  // namespace hearth
