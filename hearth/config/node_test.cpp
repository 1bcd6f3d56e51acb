// Config values.
#include "hearth/config/node.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

Mark mark_at(int line, int column) {
  return {std::make_shared<const std::string>("a.yaml"), line, column};
}

TEST(Mark, NamesFileLineAndColumn) {
  EXPECT_EQ(mark_at(3, 7).text(), "a.yaml:3:7");
  EXPECT_EQ(mark_at(3, 7).prefix(), "a.yaml:3:7: ");
}

TEST(Mark, OfNoLineIsTheFileAlone) { EXPECT_EQ(mark_at(0, 0).text(), "a.yaml"); }

TEST(Mark, OfNothingIsEmpty) {
  EXPECT_EQ(Mark().text(), "");
  EXPECT_EQ(Mark().prefix(), "");
}

TEST(Node, SetTurnsNullIntoAMapAndReplaces) {
  Node node;
  node.set("a", Node::scalar("1")).set("b", Node::scalar("2")).set("a", Node::scalar("3"));
  EXPECT_EQ(node.keys(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(node.find("a")->text(), "3");
}

TEST(Node, SetInAScalarIsADefect) {
  Node node = Node::scalar("x");
  EXPECT_THROW(node.set("a", Node()), InternalError);
}

TEST(Node, EraseRemovesAKeyOnce) {
  Node node = Node::map({{"a", {}, Node()}, {"b", {}, Node()}});
  EXPECT_TRUE(node.erase("a"));
  EXPECT_FALSE(node.erase("a"));
  EXPECT_EQ(node.find("a"), nullptr);
  EXPECT_NE(node.find("b"), nullptr);
}

TEST(Node, EqualityIgnoresMarksAndQuotesButNotContent) {
  EXPECT_EQ(Node::scalar("1", mark_at(1, 1), true), Node::scalar("1"));
  EXPECT_FALSE(Node::scalar("1") == Node::scalar("2"));
  EXPECT_FALSE(Node::scalar("") == Node());
  EXPECT_FALSE(Node::list() == Node::map());
  EXPECT_FALSE(Node::list({Node()}) == Node::list());
  EXPECT_FALSE(Node::map({{"a", {}, Node()}}) == Node::map({{"b", {}, Node()}}));
}

TEST(Node, DescribesItselfForMessages) {
  EXPECT_EQ(Node().describe(), "nothing");
  EXPECT_EQ(Node::scalar("big").describe(), "'big'");
  EXPECT_EQ(Node::list().describe(), "an empty list");
  EXPECT_EQ(Node::list({Node()}).describe(), "a list");
  EXPECT_EQ(Node::map().describe(), "an empty map");
  EXPECT_EQ(Node::map({{"a", {}, Node()}}).describe(), "a map");
}

TEST(Node, CutsLongTextInMessagesBetweenCharacters) {
  EXPECT_EQ(Node::scalar(std::string(61, 'x')).describe(), "'" + std::string(60, 'x') + "...'");
  EXPECT_EQ(Node::scalar(std::string(59, 'x') + "\xC3\xA4" + "x").describe(),
            "'" + std::string(59, 'x') + "...'");
}

}  // namespace
}  // namespace hearth
