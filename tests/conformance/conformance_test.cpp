// Every component of every kind: described, built from defaults, round-tripped, strict.
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/option_table.h"
#include "hearth/config/reference.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"
#include "hearth/data/batch_op.h"
#include "hearth/data/order.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/source.h"
#include "hearth/data/tokenizer.h"
#include "hearth/experiment/technique.h"
#include "hearth/metric/metric.h"
#include "hearth/network/exchange.h"
#include "hearth/network/network_op.h"
#include "hearth/nn/initializer.h"
#include "hearth/nn/layer.h"
#include "hearth/optim/optimizer.h"
#include "hearth/schedule/schedule.h"
#include "hearth/tracking/tracker.h"
#include "hearth/train/trace.h"
#include "tests/conformance/component_cases.h"

namespace hearth {
namespace {

struct Named {
  std::string kind;
  ComponentInfo component;
  size_t members = 0;
  std::function<void(const Node&)> build;
};

template <class Base>
void add_kind(std::vector<Named>& all) {
  for (const ComponentInfo& component : registry<Base>().components())
    all.push_back({KindOf<Base>::name, component, registry<Base>().members(component.name),
                   [name = component.name](const Node& options) {
                     (void)registry<Base>().make({name, options});
                   }});
}

std::vector<Named> all_components() {
  std::vector<Named> all;
  for_each_kind([&]<class Base>() { add_kind<Base>(all); });
  return all;
}

Type choice_of(const std::string& kind) {
  Type type;
  type.kind = TypeKind::kChoice;
  type.component_kind = kind;
  return type;
}

Node choice_node(const Named& named, const Node& options) {
  return Node::map({{named.component.name, {}, options}});
}

// A component of the kind that needs no options.
std::string plain_component(const std::string& kind) {
  const Catalog& catalog = whole_catalog();
  for (const ComponentInfo& component : catalog.kind(kind)->components)
    if (std::none_of(component.schema.fields.begin(), component.schema.fields.end(),
                     [](const Field& field) { return field.is_required; }))
      return component.name;
  return "none";
}

// A value that fits a required field, so that the rest can be built from defaults.
Node filler(const Type& type) {
  if (type.kind == TypeKind::kList) return Node::list({filler(*type.element)});
  if (type.kind == TypeKind::kChoice) return Node::scalar(plain_component(type.component_kind));
  return Node::scalar("1");
}

// What must be given: as in the component's first case, or whatever fits the type.
Node smallest_options(const Named& named) {
  const CaseFile file = case_file(named.kind, named.component.name);
  const Node cases = file.exists ? read_case_file(file.path) : Node::map();
  const Node* given =
      file.exists ? cases.entries().front().value.find("options") : static_cast<Node*>(nullptr);
  Node options = Node::map();
  for (const Field& field : named.component.schema.fields) {
    if (!field.is_required) continue;
    const Node* value = given == nullptr ? nullptr : given->find(field.name);
    options.set(field.name, value == nullptr ? filler(field.type) : *value);
  }
  return options;
}

class EveryComponent : public testing::TestWithParam<Named> {};

TEST_P(EveryComponent, SaysWhatItIsInOneSentence) {
  EXPECT_FALSE(GetParam().component.help.empty());
  EXPECT_TRUE(GetParam().component.help.ends_with(".")) << GetParam().component.help;
}

TEST_P(EveryComponent, DescribesEveryMemberOfItsOptions) {
  EXPECT_EQ(GetParam().component.schema.fields.size(), GetParam().members);
  for (const Field& field : GetParam().component.schema.fields)
    EXPECT_FALSE(field.help.empty()) << field.name;
}

TEST_P(EveryComponent, BuildsFromDefaults) {
  const Node options = smallest_options(GetParam());
  const Catalog& catalog = whole_catalog();
  const auto faults =
      validate_type(choice_node(GetParam(), options), choice_of(GetParam().kind), "x", catalog);
  ASSERT_TRUE(faults.empty()) << faults.front().text();
  EXPECT_NO_THROW(GetParam().build(options));
}

TEST_P(EveryComponent, RoundTripsThroughYamlWithAllDefaults) {
  const Catalog& catalog = whole_catalog();
  SchemaInfo schema;
  schema.fields.push_back({"place", "A place.", choice_of(GetParam().kind), {}, false});
  Node config = Node::map();
  config.set("place", choice_node(GetParam(), smallest_options(GetParam())));
  const Node full = with_defaults(config, schema, catalog);
  const Node read = parse_yaml(to_yaml(full), "test.yaml");
  EXPECT_EQ(read, full);
  EXPECT_TRUE(validate(read, schema, catalog).empty());
  EXPECT_NO_THROW(GetParam().build(read.find("place")->entries().front().value));
}

TEST_P(EveryComponent, RefusesAnUnknownOptionWithASuggestion) {
  for (const Field& field : GetParam().component.schema.fields) {
    if (field.is_by_time) continue;
    Node options = smallest_options(GetParam());
    const std::string misspelt = field.name + "x";
    options.set(misspelt, Node::scalar("1"));
    const auto faults = validate_type(choice_node(GetParam(), options), choice_of(GetParam().kind),
                                      "x", whole_catalog());
    ASSERT_FALSE(faults.empty());
    EXPECT_NE(faults.front().message.find("there is no option '" + misspelt + "'. Did you mean '"),
              std::string::npos)
        << faults.front().message;
  }
}

TEST_P(EveryComponent, HasAnExampleThatKeepsItsOwnRules) {
  const Catalog& catalog = whole_catalog();
  const KindInfo& kind = *catalog.kind(GetParam().kind);
  const Node example = parse_yaml(yaml_example(kind, GetParam().component), "example");
  const auto faults = validate_type(example, choice_of(GetParam().kind), "x", catalog);
  EXPECT_TRUE(faults.empty()) << faults.front().text();
  EXPECT_NO_THROW(GetParam().build(example.entries().front().value));
}

TEST_P(EveryComponent, HasHelpThatNamesEveryOption) {
  const Catalog& catalog = whole_catalog();
  const std::string help =
      component_help(*catalog.kind(GetParam().kind), GetParam().component, 100);
  for (const Field& field : GetParam().component.schema.fields)
    EXPECT_NE(help.find(field.name), std::string::npos) << field.name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryComponent, testing::ValuesIn(all_components()),
                         [](const auto& tested) {
                           return tested.param.kind + "_" + tested.param.component.name;
                         });

TEST(Catalog, SurvivesTheFileThatTheProgramReads) {
  const Catalog& catalog = whole_catalog();
  EXPECT_EQ(Catalog::from_json(catalog.to_json()).to_json(), catalog.to_json());
}

}  // namespace
}  // namespace hearth
