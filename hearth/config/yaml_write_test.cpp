// YAML that reads well and reads back equal.
#include <gtest/gtest.h>

#include <random>

#include "hearth/base/error.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

TEST(ToYaml, WritesBlocksAboveAndLinesBelow) {
  const std::string text =
      "name: digits\n"
      "data:\n"
      "  train: {digits: {split: train}}\n"
      "  batch_size: 64\n"
      "  classes: [zero, one]\n"
      "  ops:\n"
      "    - normalize: {key: image, mean: 0.3}\n"
      "    - flip\n"
      "    - {a: 1, b: 2}\n"
      "optimizer:\n"
      "  adamw: {lr: {cosine: {peak: 0.003, warmup: 50st}}}\n"
      "metrics: [accuracy]\n"
      "empty: {}\n"
      "nothing: null\n";
  EXPECT_EQ(to_yaml(parse_yaml(text, "a")), text);
}

TEST(ToYaml, BreaksLinesThatWouldBeTooLong) {
  const std::string word(50, 'x');
  Node options = Node::map({{"a", {}, Node::scalar(word)}, {"b", {}, Node::scalar(word)}});
  const Node node = Node::map({{"top", {}, Node::map({{"in", {}, options}})}});
  EXPECT_EQ(to_yaml(node), "top:\n  in:\n    a: " + word + "\n    b: " + word + "\n");
  const Node list = Node::list({Node::scalar(word), Node::scalar(word)});
  EXPECT_EQ(to_yaml(Node::map({{"l", {}, list}})), "l:\n  - " + word + "\n  - " + word + "\n");
}

TEST(ToYaml, QuotesOnlyWhatNeedsIt) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"loss", "loss"},
      {"eval/accuracy", "eval/accuracy"},
      {"a b", "a b"},
      {"./data", "./data"},
      {"-1", "-1"},
      {"50%", "50%"},
      {"", "''"},
      {"null", "'null'"},
      {"~", "'~'"},
      {" a", "' a'"},
      {"a ", "'a '"},
      {"a: b", "'a: b'"},
      {"a,b", "'a,b'"},
      {"- a", "'- a'"},
      {"-", "'-'"},
      {"---", "'---'"},
      {"...", "'...'"},
      {"!infer", "'!infer'"},
      {"it's", "\"it's\""},
      {"a\nb", "\"a\\nb\""},
      {"\t", "\"\\u0009\""},
      {"\"", "'\"'"},
      {"\\'", "\"\\\\'\""},
      {"\xC3\xA4", "\"\xC3\xA4\""},
      {"\xC2\x85", "\"\\u0085\""},
      {"\xEF\xBB\xBF", "\"\\uFEFF\""},
      {"<<", "'<<'"},
      {"*a", "'*a'"},
      {"%a", "'%a'"},
      {"#a", "'#a'"}};
  for (const auto& [text, yaml] : cases) EXPECT_EQ(to_yaml_line(Node::scalar(text)), yaml) << text;
}

TEST(ToYaml, KeepsTextAsTextForOtherReaders) {
  for (const std::string text :
       {"1", "1.0", "-3", ".5", "true", "No", "on", "2024-01-01", ".inf"}) {
    EXPECT_EQ(to_yaml_line(Node::scalar(text)), text);
    EXPECT_EQ(to_yaml_line(Node::scalar(text, {}, true)), "'" + text + "'");
  }
  EXPECT_EQ(to_yaml_line(Node::scalar("loss", {}, true)), "loss");
}

TEST(ToYaml, RefusesTextThatYamlCannotHold) {
  EXPECT_THROW((void)to_yaml(Node::scalar("\xFF")), ConfigError);
  EXPECT_THROW((void)to_yaml(Node::scalar("\xED\xA0\x80")), ConfigError);
  EXPECT_THROW((void)to_yaml(Node::scalar("\xC3")), ConfigError);
  EXPECT_THROW((void)to_yaml(Node::scalar(std::string(1, '\0'))), ConfigError);
}

TEST(ToYaml, WritesKeysTooLongForOneLine) {
  const Node node = Node::map({{std::string(2'000, 'k'), {}, Node::scalar("1")},
                               {std::string(1'100, 'm'), {}, Node::map({{"a", {}, Node()}})}});
  EXPECT_EQ(parse_yaml(to_yaml(node), "a"), node);
  EXPECT_EQ(parse_yaml(to_yaml(Node::list({node, node})), "a"), Node::list({node, node}));
}

class RandomNodes {
 public:
  explicit RandomNodes(uint32_t seed) : engine_(seed) {}

  Node node(int depth) {
    const int kind = pick(depth > 0 ? 8 : 4);
    if (kind == 0) return {};
    if (kind <= 3) return Node::scalar(text(), {}, pick(2) == 0);
    return kind <= 5 ? list(depth) : map(depth);
  }
  Node list(int depth) {
    Node made = Node::list();
    for (int i = pick(5); i > 0; --i) made.items().push_back(node(depth - 1));
    return made;
  }
  Node map(int depth) {
    Node made = Node::map();
    for (int i = pick(5); i > 0; --i) made.set(text(), node(depth - 1));
    return made;
  }

 private:
  int pick(int count) { return static_cast<int>(engine_() % static_cast<uint32_t>(count)); }

  std::string text() {
    static const std::vector<std::string> pieces = {"a",
                                                    "loss",
                                                    "null",
                                                    "~",
                                                    "true",
                                                    "1",
                                                    "-",
                                                    " ",
                                                    "  ",
                                                    ":",
                                                    ": ",
                                                    "#",
                                                    " #",
                                                    ",",
                                                    "[",
                                                    "]",
                                                    "{",
                                                    "}",
                                                    "'",
                                                    "\"",
                                                    "\\",
                                                    "\n",
                                                    "\t",
                                                    "\r",
                                                    "!",
                                                    "&",
                                                    "*",
                                                    "|",
                                                    ">",
                                                    "%",
                                                    "@",
                                                    "`",
                                                    "?",
                                                    "? ",
                                                    "- ",
                                                    "--",
                                                    "...",
                                                    "\xC3\xA4",
                                                    "\xE2\x80\xA8",
                                                    "\xC2\x85",
                                                    "<<",
                                                    "=",
                                                    ".",
                                                    "0x",
                                                    "\x01",
                                                    "\x7F",
                                                    "\xEF\xBF\xBE",
                                                    "\xF0\x9F\x94\xA5",
                                                    "xxxxxxxxx"};
    std::string made;
    for (int i = pick(6); i > 0; --i)
      made += pieces[static_cast<size_t>(pick(static_cast<int>(pieces.size())))];
    return made;
  }

  std::mt19937 engine_;
};

TEST(ToYaml, ReadsBackEqualForRandomNodes) {
  for (uint32_t seed = 0; seed < 3'000; ++seed) {
    RandomNodes random(seed);
    const Node node = seed % 2 == 0 ? random.map(5) : random.list(5);
    const std::string text = to_yaml(node);
    ASSERT_EQ(parse_yaml(text, "seed " + std::to_string(seed)), node) << text;
    ASSERT_EQ(parse_yaml(to_yaml_line(node), "line " + std::to_string(seed)), node) << text;
  }
}

}  // namespace
}  // namespace hearth
