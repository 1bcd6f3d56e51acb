// Every technique: what its cases say it makes of a config is what it makes.
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"
#include "hearth/experiment/expand.h"
#include "hearth/experiment/technique.h"
#include "tests/conformance/component_cases.h"

namespace hearth {
namespace {

struct TechniqueCase {
  std::string technique;
  std::string name;
  Node options;
  Node before;
  Node after;
};

std::vector<TechniqueCase> technique_cases() {
  std::vector<TechniqueCase> cases;
  for (const std::string& technique : registry<Technique>().names()) {
    const CaseFile file = case_file("technique", technique);
    const Node read = file.exists ? read_case_file(file.path) : Node::map();
    for (const Node::Entry& entry : read.entries()) {
      const auto part = [&](const char* key) {
        const Node* node = entry.value.find(key);
        return node == nullptr ? Node::map() : *node;
      };
      cases.push_back({technique, entry.key, part("options"), part("before"), part("after")});
    }
    if (read.entries().empty()) cases.push_back({technique, "missing", {}, {}, {}});
  }
  return cases;
}

class EveryTechnique : public testing::TestWithParam<TechniqueCase> {
 protected:
  [[nodiscard]] Node apply(const Node& config) const {
    return registry<Technique>().make({GetParam().technique, GetParam().options})->apply(config);
  }
};

TEST_P(EveryTechnique, MakesOfAConfigWhatItsCaseSays) {
  ASSERT_FALSE(GetParam().before.entries().empty())
      << "write " << GetParam().technique
      << ".case.yaml: cases by name, each with `options`, a config `before` and what becomes of "
         "it, "
         "`after`.";
  EXPECT_EQ(to_yaml(apply(GetParam().before)), to_yaml(GetParam().after));
}

TEST_P(EveryTechnique, MakesAConfigThatIsValid) {
  const Catalog& catalog = whole_catalog();
  const auto faults = validate(apply(GetParam().before), catalog.experiment, catalog);
  EXPECT_TRUE(faults.empty()) << faults.front().text();
}

TEST_P(EveryTechnique, RefusesToBeAppliedTwiceOrChangesNothing) {
  const Node once = apply(GetParam().before);
  try {
    EXPECT_EQ(to_yaml(apply(once)), to_yaml(once));
  } catch (const ConfigError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
  }
}

void expect_marked(const Node& node) {
  EXPECT_TRUE(node.mark().file) << to_yaml_line(node);
  for (const Node& item : node.items()) expect_marked(item);
  for (const Node::Entry& entry : node.entries()) {
    EXPECT_TRUE(entry.mark.file) << entry.key;
    expect_marked(entry.value);
  }
}

TEST_P(EveryTechnique, LeavesNoNodeWithoutAPlace) {
  Node config = GetParam().before;
  const Mark mark{std::make_shared<const std::string>("mine.yaml"), 7, 3};
  config.set(
      "techniques",
      Node::list({Node::map({{GetParam().technique, mark, GetParam().options}}, mark)}, mark));
  const Node made = expand(config);
  EXPECT_EQ(made.find("techniques"), nullptr);
  expect_marked(made);
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryTechnique, testing::ValuesIn(technique_cases()),
                         [](const auto& tested) {
                           return tested.param.technique + "_" + tested.param.name;
                         });

}  // namespace
}  // namespace hearth
