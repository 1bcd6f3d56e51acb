// The shorthand written out: where the average of the weights goes.
#include "hearth/experiment/expand.h"

#include <gtest/gtest.h>

#include "hearth/config/yaml.h"

namespace hearth {
namespace {

Node config_with(const std::string& more) {
  return parse_yaml(
      "data: {train: digits}\nmodel: lenet\nloss: cross_entropy\noptimizer: adamw\n" + more,
      "mine.yaml");
}

TEST(Expand, GivesTheAverageToTheOneModel) {
  const Node full = expand(config_with("average: 0.99\n"));
  EXPECT_EQ(full.find("average"), nullptr);
  const Node* average = full.find("models")->find("net")->find("average");
  ASSERT_NE(average, nullptr);
  EXPECT_EQ(average->text(), "0.99");
}

TEST(Expand, WritesNoAverageWhenNoneIsWanted) {
  for (const char* more : {"", "average:\n"}) {
    const Node full = expand(config_with(more));
    EXPECT_EQ(full.find("models")->find("net")->find("average"), nullptr);
  }
}

TEST(CheckForm, NamesAllThatIsMissingAtOnce) {
  std::vector<std::string> paths;
  for (const Fault& fault : check_form(Node::map())) paths.push_back(fault.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"model", "optimizer", "data.train"}));
}

TEST(CheckForm, WantsTheFullFormWhole) {
  const Node config = parse_yaml("data: {train: digits}\nmodels: {net: {build: mlp}}\n", "a.yaml");
  const std::vector<Fault> faults = check_form(config);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().path, "network");
}

TEST(CheckForm, RefusesTheShorthandsAverageBesideModels) {
  const Node config = parse_yaml("data: {train: digits}\nmodels: {}\naverage: 0.9\n", "mine.yaml");
  const std::vector<Fault> faults = check_form(config);
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults.front().path, "average");
}

}  // namespace
}  // namespace hearth
