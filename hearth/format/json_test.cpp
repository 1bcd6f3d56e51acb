// Tests of strict JSON.
#include "hearth/format/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hearth/base/error.h"

namespace hearth {

namespace {

std::string json_message(std::string_view text, const JsonLimits& limits = {}) {
  try {
    (void)parse_json(text, "x.json", limits);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

std::string nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Json, ReadsEveryKindOfValue) {
  const auto json = parse_json(
      R"( {"a": [1, -2, 2.5, true, null, "\u00e9\ud83d\ude00"], "b": {"c": {}, "d": []}} )", "x");
  EXPECT_EQ(json.dump(),
            "{\"a\":[1,-2,2.5,true,null,\"\xc3\xa9\xf0\x9f\x98\x80\"],"
            "\"b\":{\"c\":{},\"d\":[]}}");
  EXPECT_TRUE(json["a"][0].is_number_unsigned());
  EXPECT_EQ(parse_json("7", "x"), 7);
}

TEST(Json, AgreesWithTheUsualParserOnAnOrdinaryText) {
  const std::string text =
      R"([{"x": [[1.5e3, {}], "t"]}, {"x": false, "y": [{"x": 1}]}, 18446744073709551615])";
  EXPECT_EQ(parse_json(text, "x"), nlohmann::json::parse(text));
}

TEST(Json, RefusesDuplicateKeysAtAnyLevelAndSaysWhere) {
  EXPECT_EQ(json_message(R"({"a": 1, "a": 1})"), "x.json: byte 12: the key 'a' is there twice.");
  EXPECT_EQ(json_message(R"([{"b": {"c": 1, "c": 2}}])"),
            "x.json: byte 19: the key 'c' is there twice.");
  EXPECT_EQ(json_message(R"({"a": 1, "\u0061": 1})"),
            "x.json: byte 17: the key 'a' is there twice.");
}

TEST(Json, LimitsDepthSizeAndNumberOfValues) {
  EXPECT_NO_THROW((void)parse_json(nested(64), "x"));
  EXPECT_EQ(json_message(nested(65)), "x.json: byte 65: nested deeper than 64 levels.");
  EXPECT_EQ(json_message("[1, 2]", {.bytes = 5}), "x.json: has 6 B of JSON, the limit is 5 B.");
  EXPECT_EQ(json_message("[1, 2]", {.values = 2}), "x.json: byte 6: more than 2 values.");
}

TEST(Json, RefusesWhatFollowsTheValue) {
  EXPECT_EQ(json_message("{} x"),
            "x.json: byte 4: not valid JSON: syntax error while parsing value - invalid literal.");
  EXPECT_EQ(json_message("1 2"),
            "x.json: byte 3: not valid JSON: syntax error while parsing value - unexpected number "
            "literal; expected end of input.");
  EXPECT_EQ(json_message(std::string_view("{}\0", 3)), "x.json: byte 2: a NUL byte.");
}

TEST(Json, RefusesWhatOnlySomeParsersTake) {
  for (const char* text : {"",
                           "{",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "'a'",
                           "NaN",
                           "Infinity",
                           "01",
                           "+1",
                           "1.",
                           ".5",
                           "// c\n1",
                           "/* c */1",
                           "\"\\ud800\"",
                           "\"\\x41\"",
                           "\"\t\"",
                           "\"\xff\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\xef\xbb\xbf{}",
                           "1e999",
                           "nul",
                           "tru",
                           "[1 2]",
                           "{\"a\" 1}"})
    EXPECT_NE(json_message(text), "no DataError") << text;
}

TEST(Json, RefusesEveryPrefixOfAnObject) {
  const std::string text = R"({"key": [1, {"x": "y\n"}], "z": true})";
  EXPECT_NO_THROW((void)parse_json(text, "x"));
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(json_message(text.substr(0, length)), "no DataError") << length;
}

TEST(JsonLine, IsAsciiThatEveryReaderTakes) {
  const nlohmann::json json = {{"nan", std::nan("")},
                               {"infinite", std::numeric_limits<double>::infinity()},
                               {"name", "\x1b[2J\x7f\xff \xc2\x9b\xc3\xa9"}};
  EXPECT_EQ(
      json_line(json),
      "{\"infinite\":null,\"name\":\"\\u001b[2J\\u007f\\ufffd \\u009b\\u00e9\",\"nan\":null}\n");
}

TEST(Json, ShowsItemsOneByOne) {
  std::string seen;
  const auto visit = [&](const std::string& key, nlohmann::json& value) {
    seen += key + "=" + value.dump() + ";";
  };
  visit_json(R"({"a": [1, [2], {"b": [3]}], "c": {"d": [4]}, "e": "f", "g": []})", "x", visit, {});
  EXPECT_EQ(seen, R"(a=1;a=[2];a={"b":[3]};c={"d":[4]};e="f";)");
  EXPECT_THROW(visit_json("[1]", "x", visit, {}), DataError);
  EXPECT_THROW(visit_json(R"({"a": [1, )", "x", visit, {}), DataError);
}

}  // namespace

}  // namespace hearth
