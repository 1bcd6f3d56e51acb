// YAML as people and attackers write it.
#include <gtest/gtest.h>

#include <fstream>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

std::string fault_of(const std::string& text, const YamlLimits& limits = {}) {
  try {
    (void)parse_yaml(text, "a.yaml", limits);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "taken";
}

// The value of `x` in "x: <text>", shown as describe() does.
std::string value_of(const std::string& text) {
  return parse_yaml("x: " + text, "a.yaml").find("x")->describe();
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

struct Vector {
  std::string text;
  std::string result;
};

TEST(Yaml, ScalarsKeepTheirText) {
  for (const std::string text : {"no",
                                 "NO",
                                 "yes",
                                 "on",
                                 "off",
                                 "y",
                                 "true",
                                 "True",
                                 "0o17",
                                 "0x1F",
                                 "017",
                                 "1e3",
                                 ".inf",
                                 "-.5",
                                 "1_000",
                                 "12:30",
                                 "2024-01-02",
                                 "Null",
                                 "NULL",
                                 "nan",
                                 "a b",
                                 "a:b",
                                 "a#b",
                                 "-1",
                                 "+1",
                                 "50%",
                                 "3ep",
                                 "eval/accuracy",
                                 "=",
                                 "<<a",
                                 "\xC3\xA4",
                                 "\xE2\x82\xAC",
                                 "\xF0\x9F\x94\xA5"})
    EXPECT_EQ(value_of(text), quote(text));
}

TEST(Yaml, OnlyThreePlainWordsAreNull) {
  for (const std::string text : {"", "~", "null", "!!null x", "# comment", "!!null ''"})
    EXPECT_EQ(value_of(text), "nothing") << text;
  for (const std::string text : {"'null'", "\"null\"", "!!str null"})
    EXPECT_EQ(value_of(text), "'null'") << text;
  for (const std::string text : {"''", "\"\"", "!!str"}) EXPECT_EQ(value_of(text), "''") << text;
}

TEST(Yaml, ReadsQuotedAndFoldedText) {
  const std::vector<Vector> vectors = {
      {"'it''s'", "'it's'"},
      {"\"a\\tb\"", "'a\\tb'"},
      {"\"\\u00e4\"", "'\xC3\xA4'"},
      {"\"a\\\n  b\"", "'ab'"},
      {"|\n  a\n  b\n", "'a\\nb\\n'"},
      {">\n  a\n  b\n", "'a b\\n'"},
      {"|-\n  a\n", "'a'"},
      {"a\n  b", "'a b'"},
      {"'a\n\n  b'", "'a\\nb'"},
      {"\"\\x41\"", "'A'"},
      {"!!int 5", "'5'"},
      {"!!str 5", "'5'"},
      {"!!float 1.5", "'1.5'"},
      {"!!bool true", "'true'"},
      {"!!seq []", "an empty list"},
      {"!!map {}", "an empty map"},
      {"&a 5", "'5'"},
      {"a # b", "'a'"},
  };
  for (const Vector& vector : vectors)
    EXPECT_EQ(value_of(vector.text), vector.result) << vector.text;
}

TEST(Yaml, KnowsWhichScalarsWereQuoted) {
  const Node node = parse_yaml("- a\n- 'b'\n- \"c\"\n- !!str d\n- |\n  e\n", "a.yaml");
  std::string quoted;
  for (const Node& item : node.items()) quoted += item.is_quoted() ? "q" : "p";
  EXPECT_EQ(quoted, "pqqqq");
}

TEST(Yaml, EmptyDocumentsAreEmptyMaps) {
  for (const std::string text : {"", "\n", "# only a comment", "---\n", "---\n...\n", "null", "~",
                                 "\xEF\xBB\xBF", "--- null", "%YAML 1.1\n---\n", "   "}) {
    const Node node = parse_yaml(text, "a.yaml");
    EXPECT_TRUE(node.is_map() && node.entries().empty()) << quote(text);
  }
}

TEST(Yaml, MarksCountFromOneInCharacters) {
  const Node node = parse_yaml(
      "\xEF\xBB\xBF"
      "a: 1\nb:\n  - {\xC3\xA4: x}\n",
      "a.yaml");
  EXPECT_EQ(node.mark().text(), "a.yaml:1:1");
  EXPECT_EQ(node.entries()[1].mark.text(), "a.yaml:2:1");
  const Node& item = node.find("b")->items()[0];
  EXPECT_EQ(item.mark().text(), "a.yaml:3:5");
  EXPECT_EQ(item.entries()[0].value.mark().text(), "a.yaml:3:9");
}

TEST(Yaml, AliasesRepeatTheirValue) {
  const Node node = parse_yaml("a: &x {k: [1, 2]}\nb: *x\nc: [*x, &x 3, *x]\n", "a.yaml");
  EXPECT_EQ(*node.find("b"), *node.find("a"));
  EXPECT_EQ(node.find("c")->items()[0], *node.find("a"));
  EXPECT_EQ(node.find("c")->items()[2].text(), "3");
}

TEST(Yaml, RefusesWithThePlaceAndTheReason) {
  const std::string tag = " is not supported here. Text that starts with '!' needs quotes.";
  const std::vector<Vector> vectors = {
      {"a: 1\nb: 2\na: 3", "a.yaml:3:1: the key 'a' was already given in line 1."},
      {"x: {a: 1, a: 2}", "a.yaml:1:11: the key 'a' was already given in line 1."},
      {"a: 1\n'a': 2", "a.yaml:2:1: the key 'a' was already given in line 1."},
      {"a: 1\n---\nb: 2",
       "a.yaml:2:1: a second document starts here, but a config is one document."},
      {"a: !infer", "a.yaml:1:4: the tag '!infer'" + tag},
      {"a: !!python/object:os.system x", "a.yaml:1:4: the tag '!!python/object:os.system'" + tag},
      {"a: !!binary eA==", "a.yaml:1:4: the tag '!!binary'" + tag},
      {"a: !!set {b}", "a.yaml:1:4: the tag '!!set'" + tag},
      {"a: !!seq {}", "a.yaml:1:4: the tag '!!seq'" + tag},
      {"a: !!map []", "a.yaml:1:4: the tag '!!map'" + tag},
      {"a: !!str [b]", "a.yaml:1:4: the tag '!!str'" + tag},
      {"a: !<tag:x> b", "a.yaml:1:4: the tag 'tag:x'" + tag},
      {"!x a: b", "a.yaml:1:1: the tag '!x'" + tag},
      {"%TAG ! tag:evil,1:\n---\na: !b c", "a.yaml:3:4: the tag 'tag:evil,1:b'" + tag},
      {"a: &x {k: 1}\nb:\n  <<: *x",
       "a.yaml:3:3: the merge key '<<' is not supported. Write the options out, or use an alias "
       "for "
       "the whole value."},
      {"a: *b", "a.yaml:1:4: the alias '*b' has no anchor '&b' before it."},
      {"a: &a [*a]", "a.yaml:1:8: the alias '*a' stands inside the value that it names."},
      {"&a [*a]", "a.yaml:1:5: the alias '*a' stands inside the value that it names."},
      {"&a {b: {c: [*a]}}", "a.yaml:1:13: the alias '*a' stands inside the value that it names."},
      {"? [a]\n: b", "a.yaml:1:3: a key must be a text, but this one is a list."},
      {"? {a: b}\n: c", "a.yaml:1:3: a key must be a text, but this one is a map."},
      {"[a]: b", "a.yaml:1:1: a key must be a text, but this one is a list."},
      {"a: &a b\n*a : c", "a.yaml:2:1: a key must be a text, but this one is an alias."},
      {"?\n: b", "a.yaml:1:2: a key is missing before ':'."},
      {"a: \"x\\0y\"", "a.yaml:1:4: a text may not hold the character NUL."},
      {"\"\\0\": 1", "a.yaml:1:1: a text may not hold the character NUL."},
  };
  for (const Vector& vector : vectors)
    EXPECT_EQ(fault_of(vector.text), vector.result) << vector.text;
}

TEST(Yaml, WrapsWhatTheParserSays) {
  const std::vector<Vector> vectors = {
      {"a: [1, 2",
       "a.yaml:2:1: not valid YAML: did not find expected ',' or ']' (while parsing a "
       "flow sequence from line 1)."},
      {"a: {b: 1",
       "a.yaml:2:1: not valid YAML: did not find expected ',' or '}' (while parsing a "
       "flow mapping from line 1)."},
      {"a: 'b",
       "a.yaml:1:6: not valid YAML: found unexpected end of stream (while scanning a quoted "
       "scalar)."},
      {"a: b: c", "a.yaml:1:5: not valid YAML: mapping values are not allowed in this context."},
      {"a:\n\tb: 1",
       "a.yaml:2:1: not valid YAML: found character that cannot start any token (while "
       "scanning for the next token). Indent with spaces, not with tabs."},
      {"a: @b",
       "a.yaml:1:4: not valid YAML: found character that cannot start any token (while "
       "scanning for the next token)."},
      {"a: 1\n b: 2",
       "a.yaml:2:3: not valid YAML: mapping values are not allowed in this context."},
      {std::string("a: b\0c", 6),
       "a.yaml:1:5: not valid YAML: control characters are not allowed."},
      {"a: 1\nb: \xFF", "a.yaml:2:4: not valid YAML: invalid leading UTF-8 octet."},
      {"\xC3\xA4: \xC3(", "a.yaml:1:5: not valid YAML: invalid trailing UTF-8 octet."},
      {"a: \xC0\xAF", "a.yaml:1:4: not valid YAML: invalid length of a UTF-8 sequence."},
      {"a: \xED\xA0\x80", "a.yaml:1:4: not valid YAML: invalid Unicode character."},
      {"a: \x01", "a.yaml:1:4: not valid YAML: control characters are not allowed."},
      {std::string("\xFF\xFE"
                   "a\0",
                   4),
       "a.yaml:1:1: not valid YAML: invalid leading UTF-8 octet."},
  };
  for (const Vector& vector : vectors)
    EXPECT_EQ(fault_of(vector.text), vector.result) << vector.text;
}

const std::vector<std::string> kBrokenTexts = {"[",
                                               "{",
                                               "]",
                                               "}",
                                               "'",
                                               "\"",
                                               "&",
                                               "*",
                                               "!",
                                               "|x",
                                               ">x",
                                               "%",
                                               "@",
                                               "`",
                                               "? ",
                                               "- -",
                                               ": :",
                                               "a: b: c",
                                               "[a",
                                               "{a",
                                               "{a: ",
                                               "[a,,b]",
                                               "{,}",
                                               "a:\n  - b\n c",
                                               "a: |\n b\nc",
                                               "\"\\q\"",
                                               "\"\\u12\"",
                                               "\"\\U00110000\"",
                                               "\"\\uD800\"",
                                               "--- a\nb: c\n--- d",
                                               "%YAML 9.9\n---\na",
                                               "%TAG\n---\na",
                                               "&a &b c",
                                               "!a !b c",
                                               "*",
                                               "&",
                                               "a: &",
                                               "a: *",
                                               "a: !<",
                                               "a: !<x",
                                               "- a\nb: c",
                                               "a: b\n- c",
                                               "a\nb: c",
                                               "'a' b: c",
                                               "\"a\" \"b\"",
                                               "[a] [b]",
                                               "{a: b}}",
                                               "[[a]",
                                               "\t a: b",
                                               "a: 'b'c",
                                               "a: \"b",
                                               "a: 'b\n--- c'",
                                               "... ...",
                                               "--- ---",
                                               "%",
                                               "%%",
                                               "a: >2147483648\n b"};

TEST(Yaml, RefusesBrokenTextWithoutHarm) {
  const std::vector<std::string> wraps = {"", "x: ", "- ", "[", "{k: "};
  int refused = 0;
  for (const std::string& seed : kBrokenTexts)
    for (const std::string& wrap : wraps) {
      const std::string fault = fault_of(wrap + seed);
      if (fault == "taken") continue;
      ++refused;
      EXPECT_EQ(fault.rfind("a.yaml:", 0), 0U) << wrap + seed << " gave " << fault;
      EXPECT_EQ(fault.back(), '.') << fault;
    }
  EXPECT_GT(refused, 230);
}

TEST(Yaml, StopsAtTheDepthLimit) {
  EXPECT_EQ(fault_of(repeated("[", 32) + repeated("]", 32)), "taken");
  EXPECT_EQ(fault_of(repeated("[", 33) + repeated("]", 33)),
            "a.yaml:1:33: nested deeper than 32 levels.");
  EXPECT_EQ(fault_of(repeated("[", 10'000)), "a.yaml:1:33: nested deeper than 32 levels.");
  EXPECT_EQ(fault_of(repeated("{a: ", 10'000)), "a.yaml:1:129: nested deeper than 32 levels.");
  EXPECT_EQ(fault_of(repeated("- ", 10'000)), "a.yaml:1:65: nested deeper than 32 levels.");
  std::string block;
  for (int i = 0; i < 1'000; ++i) block += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(fault_of(block), "a.yaml:33:33: nested deeper than 32 levels.");
}

TEST(Yaml, CountsDepthThroughAliases) {
  const std::string deep = repeated("[", 20) + repeated("]", 20);
  EXPECT_EQ(fault_of("a: &x " + deep + "\nb: " + repeated("[", 20) + "*x" + repeated("]", 20)),
            "a.yaml:2:24: nested deeper than 32 levels.");
}

TEST(Yaml, StopsAliasBombs) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string inner = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    bomb += name + ": &" + name + " [" + inner + repeated(", " + inner, 9) + "]\n";
  }
  EXPECT_EQ(fault_of(bomb), "a.yaml:4:45: more than 10,000 values (after aliases are expanded).");
}

TEST(Yaml, StopsBombsOfOneLongText) {
  const std::string bomb =
      "a: &a " + std::string(100'000, 'x') + "\nb: [" + repeated("*a, ", 5'000);
  EXPECT_EQ(fault_of(bomb), "a.yaml:2:41: more than 1.0 MiB of text (after aliases are expanded).");
}

TEST(Yaml, StopsAtTheNodeAndByteLimits) {
  EXPECT_EQ(fault_of("[" + repeated("1,", 9'999) + "]"), "taken");
  EXPECT_EQ(fault_of("[" + repeated("1,", 10'000) + "]"),
            "a.yaml:1:20000: more than 10,000 values (after aliases are expanded).");
  EXPECT_EQ(fault_of(std::string((1 << 20) + 1, ' ')),
            "a.yaml: has 1.0 MiB, but a config may have 1.0 MiB at most.");
  EXPECT_EQ(fault_of("a: 1", {.bytes = 3}), "a.yaml: has 4 B, but a config may have 3 B at most.");
}

TEST(Yaml, TakesTenThousandKeysQuickly) {
  std::string text;
  for (int i = 0; i < 9'999; ++i) text += "key" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(parse_yaml(text, "a.yaml").entries().size(), 9'999U);
}

TEST(Yaml, LoadsAFileAndNamesAMissingOne) {
  const std::string path = testing::TempDir() + "hearth_yaml_read_test.yaml";
  std::ofstream(path) << "a: 1\n";
  EXPECT_EQ(load_yaml(path).find("a")->mark().text(), path + ":1:4");
  std::filesystem::remove(path);
  try {
    (void)load_yaml(path);
    FAIL() << "read a file that is not there";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
  }
}

}  // namespace
}  // namespace hearth
