// Tests of a config as JSON.
#include "cli/node_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/config/yaml.h"

namespace hearth::cli {
namespace {

TEST(NodeJson, KeepsOrderAndReadsPlainScalarsAsWhatTheyLookLike) {
  const Node node =
      parse_yaml("b: 3\na: [1.5, true, null, text, 3ep]\nc: \"3\"\nd: {}\n", "x.yaml");
  EXPECT_EQ(json_from(node).dump(), R"({"b":3,"a":[1.5,true,null,"text","3ep"],"c":"3","d":{}})");
}

}  // namespace
}  // namespace hearth::cli
