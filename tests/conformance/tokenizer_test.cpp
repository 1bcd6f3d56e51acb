// What every tokenizer promises: text comes back, no text of any kind breaks it, and what it knows
// travels by names.
#include <gtest/gtest.h>

#include <thread>

#include "hearth/base/files.h"
#include "hearth/data/tokenizer.h"
#include "hearth/data/unicode.h"
#include "tests/conformance/component_cases.h"

namespace hearth {
namespace {

using Tokens = std::vector<int32_t>;

const std::string kText =
    "The dog, the cat; don't! \xC3\xA4 \xE2\x82\xAC 12 <unk> \xF0\x9F\x98\x80\nThe  end.\t\n";

// Bytes that are no UTF-8, a zero among them; letters and signs that no training text has.
const std::vector<std::string> kStrangeTexts = {
    std::string("\xFF\x00\xC3(\xE2\x82\xED\xA0\x80", 9), "\xC3",
    "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E \xD0\xB4\xD0\xB0", "Zyx@^", std::string(300, '\xF0')};

class EveryTokenizer : public CaseTest<Tokenizer, OptionsCase> {
 protected:
  [[nodiscard]] static std::unique_ptr<Tokenizer> learned(const std::string& text = kText) {
    fs::current_path(HEARTH_SOURCE_DIR);
    return open_tokenizer(choice(), {.text = text, .what = "a text"});
  }
  static Tokens encoded(const Tokenizer& tokenizer, const std::string& text) {
    Tokens tokens;
    tokenizer.encode(text, tokens);
    return tokens;
  }
  // Some refuse what they do not know, by a message; none gives a number without a name.
  static void expect_tokens_or_a_message(const Tokenizer& tokenizer, const std::string& text) {
    Tokens tokens;
    try {
      tokenizer.encode(text, tokens);
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()), "");
      return;
    }
    for (const int32_t token : tokens) {
      EXPECT_GE(token, 0);
      EXPECT_LT(token, static_cast<int32_t>(tokenizer.names().size()));
    }
    EXPECT_NO_THROW((void)tokenizer.decode(tokens));
  }
};

TEST_P(EveryTokenizer, GivesTheSameTokensForTheTextThatComesBack) {
  const auto tokenizer = learned();
  const Tokens tokens = encoded(*tokenizer, kText.substr(0, kText.find(" <unk>")));
  ASSERT_FALSE(tokens.empty());
  EXPECT_EQ(encoded(*tokenizer, tokenizer->decode(tokens)), tokens);
}

TEST_P(EveryTokenizer, AddsToWhatIsThereAndTakesNoText) {
  const auto tokenizer = learned();
  Tokens tokens = {7};
  tokenizer->encode("", tokens);
  EXPECT_EQ(tokens, Tokens{7});
  tokenizer->encode("The 12", tokens);
  EXPECT_GT(tokens.size(), 1U);
  EXPECT_EQ(tokens[0], 7);
  EXPECT_EQ(tokenizer->decode({}), "");
}

TEST_P(EveryTokenizer, TakesStrangeTextOrSaysWhyNot) {
  const auto tokenizer = learned();
  for (const std::string& text : kStrangeTexts) expect_tokens_or_a_message(*tokenizer, text);
}

TEST_P(EveryTokenizer, LearnsStrangeTextAndHasNamesThatAreUtf8) {
  std::string all = kText;
  for (const std::string& text : kStrangeTexts) all += text + "\n";
  const auto tokenizer = learned(all);
  for (const std::string& text : kStrangeTexts) EXPECT_NO_THROW((void)encoded(*tokenizer, text));
  for (const std::string& name : tokenizer->names())
    for (size_t at = 0; at < name.size(); at += letter_at(name, at).bytes)
      EXPECT_TRUE(letter_at(name, at).is_valid) << name;
}

TEST_P(EveryTokenizer, TakesALongTextAndOneLongWord) {
  std::string text;
  while (text.size() < 1 << 20) text += kText;
  const auto tokenizer = learned();
  EXPECT_FALSE(encoded(*tokenizer, text).empty());
  const std::string word(1 << 19, 'e');
  EXPECT_NO_THROW((void)tokenizer->decode(encoded(*tokenizer, word)));
}

TEST_P(EveryTokenizer, RefusesNumbersWithoutAToken) {
  const auto tokenizer = learned();
  const auto count = static_cast<int32_t>(tokenizer->names().size());
  for (const int32_t token : {-1, count, std::numeric_limits<int32_t>::max()})
    EXPECT_THROW((void)tokenizer->decode(Tokens{token}), DataError) << token;
}

TEST_P(EveryTokenizer, KnowsTheSameFromItsNames) {
  const auto tokenizer = learned();
  const auto again = open_tokenizer(choice(), {.names = tokenizer->names()});
  EXPECT_EQ(again->names(), tokenizer->names());
  EXPECT_EQ(encoded(*again, kText), encoded(*tokenizer, kText));
}

TEST_P(EveryTokenizer, IsReadByManyThreads) {
  const auto tokenizer = learned();
  const Tokens expected = encoded(*tokenizer, kText);
  std::vector<Tokens> found(4);
  {
    std::vector<std::jthread> threads;
    for (Tokens& tokens : found)
      threads.emplace_back([&] {
        for (int turn = 0; turn < 20; ++turn) tokens = encoded(*tokenizer, kText);
      });
  }
  for (const Tokens& tokens : found) EXPECT_EQ(tokens, expected);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryTokenizer,
                         testing::ValuesIn(all_cases<Tokenizer, OptionsCase>()), kCaseName);

}  // namespace
}  // namespace hearth
