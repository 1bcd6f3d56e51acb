// The JSON Schema that editors use.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hearth/config/file_name.h"
#include "hearth/config/reference.h"
#include "hearth/config/sample_catalog_test.h"

namespace hearth {
namespace {

using Json = nlohmann::json;

Json sample_schema() { return json_schema(sample::catalog()); }

TEST(JsonSchema, NamesItsDraftAndRefusesUnknownKeys) {
  const Json schema = sample_schema();
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], Json::array({"name"}));
  EXPECT_EQ(schema["properties"]["train"]["additionalProperties"], false);
}

TEST(JsonSchema, CarriesHelpDefaultsAndBounds) {
  const Json epochs = sample_schema()["properties"]["train"]["properties"]["epochs"];
  EXPECT_EQ(epochs, Json::parse(R"({"type": "integer", "minimum": 1.0, "maximum": 2147483647.0,
                                    "default": 1,
                                    "description": "Passes over the data."})"));
}

TEST(JsonSchema, ComponentsAreANameOrAnObjectWithOneName) {
  const Json forms = sample_schema()["$defs"]["trace"]["oneOf"];
  EXPECT_EQ(forms[0]["enum"], Json::array({"progress", "early_stopping"}));
  ASSERT_EQ(forms.size(), 4U);
  EXPECT_EQ(forms[3]["required"], Json::array({"save"}));
  EXPECT_EQ(forms[3]["additionalProperties"], false);
  EXPECT_EQ(forms[3]["properties"]["save"]["required"], Json::array({"folder"}));
  EXPECT_EQ(forms[3]["properties"]["save"]["description"], "Writes files.");
}

TEST(JsonSchema, ScheduledNumbersTakeASchedule) {
  const Json schema = sample_schema();
  const Json shift = schema["$defs"]["sample_op"]["oneOf"][2]["properties"]["random_shift"];
  EXPECT_EQ(shift["properties"]["pixels"]["anyOf"][1]["$ref"], "#/$defs/schedule");
  EXPECT_EQ(shift["properties"]["when"]["$ref"], "#/$defs/modes");
}

TEST(JsonSchema, SaysThatAnOptionIsAPathAndOfWhat) {
  const Json save = sample_schema()["$defs"]["trace"]["oneOf"][3]["properties"]["save"];
  EXPECT_EQ(save["properties"]["folder"]["format"], "path");
  EXPECT_EQ(save["properties"]["folder"]["description"],
            "Where to write. A path, relative to this file.");
}

struct NamedOptions {
  std::string name = "x";
  std::map<std::string, int64_t> parts = {};
  static const Schema<NamedOptions>& schema() {
    using O = NamedOptions;
    static const auto made = Schema<O>()
                                 .field(&O::name, "name", "A name.", checkpoint_name())
                                 .field(&O::parts, "parts", "By name.", file_name());
    return made;
  }
};

TEST(JsonSchema, CarriesTheRuleForNamesThatBecomeFiles) {
  Catalog catalog;
  catalog.experiment = NamedOptions::schema().info();
  const Json schema = json_schema(Catalog::from_json(catalog.to_json()));
  EXPECT_EQ(schema["properties"]["name"]["pattern"], name_pattern(NameRule::kCheckpoint));
  const Json names = schema["properties"]["parts"]["propertyNames"];
  EXPECT_EQ(names["pattern"], name_pattern(NameRule::kFile));
  EXPECT_EQ(names["maxLength"], kLongestFileName);
}

// What the validator takes and refuses, the schema must take and refuse too.
const std::vector<std::pair<std::string, bool>>& schema_vectors() {
  static const std::vector<std::pair<std::string, bool>> vectors = {
      {R"({"name": "x"})", true},
      {R"({"name": 5})", true},
      {R"({})", false},
      {R"({"name": "x", "trian": {}})", false},
      {R"({"name": "x", "optimizer": "sgd"})", true},
      {R"({"name": "x", "optimizer": null})", true},
      {R"({"name": "x", "optimizer": "adamx"})", false},
      {R"({"name": "x", "optimizer": {"sgd": null}})", true},
      {R"({"name": "x", "optimizer": {"sgd": {"lr": 0.5, "nesterov": true}}})", true},
      {R"({"name": "x", "optimizer": {"sgd": {"lr": 0}}})", false},
      {R"({"name": "x", "optimizer": {"sgd": {"lr": {"cosine": {"warmup": "5st"}}}}})", true},
      {R"({"name": "x", "optimizer": {"sgd": {"lr": {"cosine": {"warmup": "5"}}}}})", false},
      {R"({"name": "x", "optimizer": {"sgd": {"nesterov": "yes"}}})", false},
      {R"({"name": "x", "optimizer": {"sgd": {}, "adamw": {}}})", false},
      {R"({"name": "x", "optimizer": {"adamw": {"betas": [0.9, 1.5]}}})", false},
      {R"({"name": "x", "data": {"ops": ["flip", {"random_shift": {"when": "!infer"}}]}})", true},
      {R"({"name": "x", "data": {"ops": "flip"}})", true},
      {R"({"name": "x", "data": {"ops": [{"flip": {"when": "never"}}]}})", false},
      {R"({"name": "x", "data": {"batch_size": 0}})", false},
      {R"({"name": "x", "data": {"batch_size": 1.5}})", false},
      {R"({"name": "x", "train": {"clip": null, "traces": {"save": {"folder": "a"}}}})", true},
      {R"({"name": "x", "train": {"traces": ["save"]}})", false},
      {R"({"name": "x", "train": {"traces": {"save": {"folder": "a", "keep": "bets"}}}})", false},
      {R"({"name": "x", "sizes": {"a": 1}, "stop": "50%", "modes": ["train", "eval"]})", true},
      {R"({"name": "x", "sizes": {"a": 0}})", false},
      {R"({"name": "x", "stop": 0})", true},
      {R"({"name": "x", "stop": 3})", false},
      {R"({"name": "x", "modes": []})", false},
  };
  return vectors;
}

TEST(JsonSchema, DecidesLikeTheValidator) {
  if (std::system("python3 -c 'import jsonschema' > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed";
  const std::string path = testing::TempDir() + "hearth_json_schema_test.json";
  Json input = {{"schema", sample_schema()}, {"cases", Json::array()}};
  for (const auto& [text, is_right] : schema_vectors())
    input["cases"].push_back({{"value", Json::parse(text)}, {"right", is_right}});
  std::ofstream(path) << input.dump();
  const std::string script =
      "import json, jsonschema\n"
      "data = json.load(open(\"" +
      path +
      "\"))\n"
      "kind = jsonschema.Draft202012Validator\n"
      "kind.check_schema(data[\"schema\"])\n"
      "check = kind(data[\"schema\"])\n"
      "wrong = [c for c in data[\"cases\"] if check.is_valid(c[\"value\"]) != c[\"right\"]]\n"
      "[print(\"decided wrongly:\", c) for c in wrong]\n"
      "raise SystemExit(len(wrong))\n";
  EXPECT_EQ(std::system(("python3 -c '" + script + "'").c_str()), 0);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace hearth
