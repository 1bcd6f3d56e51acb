// The catalog and its JSON.
#include "hearth/config/catalog.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/config/sample_catalog_test.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

using Json = nlohmann::json;

TEST(Catalog, FindsKindsAndComponents) {
  const Catalog& catalog = sample::catalog();
  EXPECT_EQ(catalog.kind("optimizer")->names(), (std::vector<std::string>{"adamw", "sgd"}));
  EXPECT_EQ(catalog.kind("optimizer")->find("sgd")->help, "Gradient descent.");
  EXPECT_EQ(catalog.kind("optimizer")->find("adamx"), nullptr);
  EXPECT_EQ(catalog.kind("optimiser"), nullptr);
}

TEST(Catalog, ComesBackFromJsonExactly) {
  const Json json = sample::catalog().to_json();
  const Catalog back = Catalog::from_json(Json::parse(json.dump()));
  EXPECT_EQ(back.to_json(), json);
  const Field& lr = *back.kind("optimizer")->find("adamw")->schema.find("lr");
  EXPECT_TRUE(lr.type.is_scheduled && lr.type.excludes_minimum && lr.type.minimum == 0.0);
  EXPECT_EQ(back.kind("sample_op")->shared.size(), 5U);
  EXPECT_TRUE(back.kind("sample_op")->numbers_may_be_scheduled);
  EXPECT_TRUE(back.experiment.find("name")->is_required);
  EXPECT_EQ(back.experiment.find("train")->type.options->names(),
            sample::catalog().experiment.find("train")->type.options->names());
}

TEST(Catalog, KeepsDefaultsWithTheirOrderAndQuotes) {
  Catalog catalog;
  const Node value = parse_yaml("{b: [1, 'null', null], a: {}, text: x, map: '1'}", "a");
  catalog.experiment.fields = {{"x", "", {}, value, false}};
  const Node back = Catalog::from_json(catalog.to_json()).experiment.fields[0].default_value;
  EXPECT_EQ(back, value);
  EXPECT_TRUE(back.find("map")->is_quoted());
  EXPECT_FALSE(back.find("text")->is_quoted());
}

TEST(Catalog, FromJsonValidatesAndFillsAlike) {
  const Catalog back = Catalog::from_json(sample::catalog().to_json());
  const Node config = parse_yaml("{name: x, optimizer: sgd, data: {ops: [flip]}}", "a");
  EXPECT_TRUE(validate(config, back.experiment, back).empty());
  EXPECT_EQ(with_defaults(config, back.experiment, back),
            with_defaults(config, sample::catalog().experiment, sample::catalog()));
}

TEST(Catalog, RefusesDamagedJson) {
  EXPECT_THROW((void)Catalog::from_json(Json::object()), DataError);
  EXPECT_THROW((void)Catalog::from_json(Json(5)), DataError);
  Json json = sample::catalog().to_json();
  json["experiment"][0]["type"]["kind"] = "colour";
  EXPECT_THROW((void)Catalog::from_json(json), DataError);
}

TEST(NodeFields, SayWhenTheNodeRuns) {
  SchemaInfo schema{node_fields()};
  EXPECT_EQ(schema.names(), (std::vector<std::string>{"when", "from", "until", "every", "offset"}));
  EXPECT_EQ(TypeOf<Modes>::read(schema.fields[0].default_value), Modes::all());
  EXPECT_TRUE(schema.fields[2].type.is_optional);
}

}  // namespace
}  // namespace hearth
