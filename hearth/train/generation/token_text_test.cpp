// Text of tokens as they come: whole characters, and nothing of what ends it.
#include "hearth/train/generation/token_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/tokenizers/bytes.h"
#include "hearth/data/tokenizers/characters.h"
#include "hearth/data/tokenizers/words.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RunTokenizer tokenizer_of(const Choice<Tokenizer>& choice, std::string_view text,
                          int64_t first = 0) {
  return {open_tokenizer(choice, {.text = text, .what = "a text"}), first};
}

std::vector<std::string> pieces_of(const RunTokenizer& tokenizer, std::string_view before,
                                   std::string_view text) {
  TokenText writer(tokenizer, tokenizer.encode(before));
  std::vector<std::string> pieces;
  for (const int64_t token : tokenizer.encode(text)) pieces.push_back(writer.add(token));
  pieces.push_back(writer.rest());
  return pieces;
}

TEST(TokenText, WaitsForTheBytesOfACharacter) {
  const RunTokenizer bytes = tokenizer_of(tokenizers::bytes(), "");
  EXPECT_THAT(pieces_of(bytes, "a", "é€!"), ElementsAre("", "é", "", "", "€", "!", ""));
  EXPECT_THAT(pieces_of(bytes, "a", "\xF0\x9F\x94"), ElementsAre("", "", "", "\xF0\x9F\x94"));
  // What is no character does not hold back what follows.
  EXPECT_THAT(pieces_of(bytes, "a", "\xC3(\x80"), ElementsAre("", "\xC3(", "\x80", ""));
}

TEST(TokenText, WritesBlanksBetweenWordsAsTheTokenizerDoes) {
  const RunTokenizer words = tokenizer_of(tokenizers::words(), "the cat sat down", 1);
  EXPECT_THAT(pieces_of(words, "the", "cat sat"), ElementsAre(" cat", " sat", ""));
}

TEST(TokenText, StaysTheSameOverManyTokens) {
  const RunTokenizer bytes = tokenizer_of(tokenizers::bytes(), "");
  std::string text;
  for (int i = 0; i < 200; ++i) text += i % 3 == 0 ? "é" : "ab";
  std::string written;
  for (const std::string& piece : pieces_of(bytes, "x", text)) written += piece;
  EXPECT_EQ(written, text);
}

TEST(WholeCharacters, LeavesOutOneThatHasJustBegun) {
  EXPECT_EQ(whole_characters(""), 0U);
  EXPECT_EQ(whole_characters("ab"), 2U);
  EXPECT_EQ(whole_characters("a\xC3"), 1U);
  EXPECT_EQ(whole_characters("aé"), 3U);
  EXPECT_EQ(whole_characters("\xF0\x9F\x94"), 0U);
  EXPECT_EQ(whole_characters("\x80\x80\x80\x80"), 4U);
}

TEST(RunTokenizer, KnowsWhichTokensAreText) {
  const RunTokenizer characters = tokenizer_of(tokenizers::characters(), "abc", 2);
  EXPECT_FALSE(characters.has_text(0));
  EXPECT_FALSE(characters.has_text(2));  // stands for what is unknown
  EXPECT_TRUE(characters.has_text(3));
  EXPECT_FALSE(characters.has_text(6));
  EXPECT_EQ(characters.decode(std::vector<int64_t>{0, 3, 2, 5}), "ac");
  EXPECT_THAT(characters.encode("cab"), ElementsAre(5, 3, 4));
}

TEST(RunTokenizer, PutsTheTokensOfTheDataAroundATextThatHaveNone) {
  RunTokenizer characters = tokenizer_of(tokenizers::characters(), "abc", 3);
  characters.begin = 1;
  characters.end = 2;
  EXPECT_THAT(characters.encode("b"), ElementsAre(1, 5));
  EXPECT_THAT(characters.encode_whole("b"), ElementsAre(1, 5, 2));
  EXPECT_EQ(characters.decode(std::vector<int64_t>{1, 5, 2}), "b");
}

TEST(RunTokenizer, SaysWhatItDoesNotKnow) {
  const RunTokenizer characters = tokenizer_of(tokenizers::characters(), "abc");
  EXPECT_THAT(message_of<DataError>([&] { (void)characters.encode("abéc"); }),
              HasSubstr("'é' is not in the vocabulary of the run, which has 3 tokens."));
  const RunTokenizer words = tokenizer_of(tokenizers::words(), "the cat");
  EXPECT_THAT(message_of<DataError>([&] { (void)words.encode("the dog"); }),
              HasSubstr("is not in the vocabulary of the run"));
}

TEST(StopWatch, CutsAtTheFirstStopAndHoldsBackWhatMayBecomeOne) {
  StopWatch watch({"\n\n", "END"});
  EXPECT_EQ(watch.add("one\n"), "one");
  EXPECT_EQ(watch.add("two E"), "\ntwo ");
  EXPECT_EQ(watch.add("N"), "");
  EXPECT_EQ(watch.add("x"), "ENx");
  EXPECT_FALSE(watch.has_stopped());
  EXPECT_EQ(watch.add("three EN"), "three ");
  EXPECT_EQ(watch.add("D\n\nfour"), "");
  EXPECT_TRUE(watch.has_stopped());
  EXPECT_EQ(watch.rest(), "");
}

TEST(StopWatch, GivesBackWhatItHeld) {
  StopWatch watch({"END"});
  EXPECT_EQ(watch.add("the E"), "the ");
  EXPECT_EQ(watch.rest(), "E");
}

}  // namespace
}  // namespace hearth
