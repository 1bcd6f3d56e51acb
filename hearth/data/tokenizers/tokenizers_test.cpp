#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/gpt2_pieces.h"
#include "hearth/data/scratch_folder_test.h"
#include "hearth/data/tokenizer.h"
#include "hearth/data/tokenizers/bpe.h"
#include "hearth/data/tokenizers/bytes.h"
#include "hearth/data/tokenizers/characters.h"
#include "hearth/data/tokenizers/words.h"

namespace hearth {
namespace {

using Names = std::vector<std::string>;
using Tokens = std::vector<int32_t>;

const std::string kParity = std::string(HEARTH_SOURCE_DIR) + "/tests/parity/";

std::unique_ptr<Tokenizer> learned(const Choice<Tokenizer>& choice, const std::string& text) {
  return open_tokenizer(choice, {.text = text, .what = "a text"});
}

Tokens encoded(const Tokenizer& tokenizer, const std::string& text) {
  Tokens tokens;
  tokenizer.encode(text, tokens);
  return tokens;
}

TEST(Bytes, AreThoseOfTheTextOrAll) {
  const auto all = open_tokenizer(tokenizers::bytes(), {});
  EXPECT_EQ(all->names().size(), 256U);
  EXPECT_EQ(encoded(*all, "a\n\xff"), (Tokens{97, 10, 255}));
  const auto some = learned(tokenizers::bytes(), "ba\n\xC3");
  EXPECT_EQ(some->names(), (Names{"\\n", "a", "b", "\\xc3"}));
  EXPECT_EQ(some->decode(encoded(*some, "\xC3\nab")), "\xC3\nab");
  EXPECT_EQ(message_of<DataError>([&] { (void)encoded(*some, "abz"); }),
            "the byte 'z' is not among those of the training text.");
}

TEST(Characters, KnowTheirTextAndOneForAllOthers) {
  const std::string text = "b\xC3\xA4\xE2\x82\xAC\\\n";
  const auto tokenizer = learned(tokenizers::characters(), text);
  EXPECT_EQ(tokenizer->names(), (Names{"<unk>", "\\n", "\\", "b", "\xC3\xA4", "\xE2\x82\xAC"}));
  EXPECT_EQ(encoded(*tokenizer, "\xC3\xA4z\n"), (Tokens{4, 0, 1}));
  EXPECT_EQ(tokenizer->decode(encoded(*tokenizer, text)), text);
}

TEST(Characters, TakeBytesThatAreNotUtf8ForThemselves) {
  const std::string text = "\xFF\xC3(\xE2\x82\xED\xA0\x80";
  const auto tokenizer = learned(tokenizers::characters(), text);
  EXPECT_EQ(tokenizer->decode(encoded(*tokenizer, text)), text);
  const auto again = open_tokenizer(tokenizers::characters(), {.names = tokenizer->names()});
  EXPECT_EQ(encoded(*again, text), encoded(*tokenizer, text));
}

TEST(Words, AreNumberedByHowOftenTheyOccur) {
  const auto tokenizer = learned(tokenizers::words(), "The dog, the cat; don't! The dog.");
  EXPECT_EQ(tokenizer->names(), (Names{"<unk>", "the", "dog", "!", ",", ".", ";", "cat", "don't"}));
  EXPECT_EQ(encoded(*tokenizer, "DOG\tdon't  bird"), (Tokens{2, 8, 0}));
  EXPECT_EQ(tokenizer->decode(Tokens{1, 2, 0}), "the dog <unk>");
}

TEST(Words, StayWithinTheirLimits) {
  const std::string text = "a a a b b c\nd";
  EXPECT_EQ(learned(tokenizers::words({.most = 3}), text)->names(), (Names{"<unk>", "a", "b"}));
  EXPECT_EQ(learned(tokenizers::words({.least_count = 3}), text)->names(), (Names{"<unk>", "a"}));
  const auto lines = learned(tokenizers::words({.line_ends = true}), text);
  EXPECT_EQ(lines->decode(encoded(*lines, text)), "a a a b b c \nd");
}

TEST(Words, OfOtherScriptsKeepTheirMarks) {
  const std::string hindi =
      "\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80";
  EXPECT_EQ(learned(tokenizers::words(), hindi + " \xD0\xB4\xD0\xB0")->names().size(), 3U);
}

TEST(Words, ComeBackFromTheNamesThatTravelWithTheModel) {
  const auto tokenizer = learned(tokenizers::words(), "a \\n b \x01 \xFF\n c");
  const auto again =
      open_tokenizer(tokenizers::words({.file = "/nowhere"}), {.names = tokenizer->names()});
  for (const std::string& text : std::vector<std::string>{"\x01 b \xFF", "\\n a", "new"})
    EXPECT_EQ(encoded(*again, text), encoded(*tokenizer, text));
}

TEST(Words, SayWhatVocabularyIsMissing) {
  EXPECT_EQ(message_of<ConfigError>([] { (void)open_tokenizer(tokenizers::words(), {}); }),
            "The tokens 'words' need a vocabulary. Name the text it comes from, words: {file: "
            "train.txt}, or give the text's source `vocabulary: words`.");
  EXPECT_EQ(message_of<DataError>(
                [] { (void)open_tokenizer(tokenizers::characters(), {.names = {"a"}}); }),
            "the vocabulary is another tokenizer's: its first token is 'a', but '<unk>' was "
            "expected.");
}

const nlohmann::json& parity() {
  static const auto stored = nlohmann::json::parse(read_file(kParity + "text.json"));
  return stored;
}

Choice<Tokenizer> parity_bpe(const ScratchFolder& folder) {
  const nlohmann::json& stored = parity();
  const tokenizers::BpeOptions options{
      .vocab = folder.write("vocab.json", stored["vocab"].dump()),
      .merges = folder.write("merges.txt", stored["merges"].get<std::string>())};
  return tokenizers::bpe(options);
}

TEST(Bpe, CutsTextAsTheExpressionDoes) {
  for (const auto& example : parity()["cases"]) {
    const std::string text = example["text"];
    std::vector<std::string> pieces;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = gpt2_piece_end(text, begin);
      pieces.push_back(text.substr(begin, end - begin));
      begin = end;
    }
    EXPECT_EQ(pieces, example["pieces"].get<Names>()) << text;
  }
}

TEST(Bpe, GivesThePublishedAlgorithmsTokens) {
  const ScratchFolder folder;
  const auto tokenizer = open_tokenizer(parity_bpe(folder), {});
  for (const auto& example : parity()["cases"]) {
    const std::string text = example["text"];
    EXPECT_EQ(encoded(*tokenizer, text), example["tokens"].get<Tokens>()) << text;
    EXPECT_EQ(tokenizer->decode(encoded(*tokenizer, text)), text);
  }
  EXPECT_EQ(tokenizer->names().back(), "<|endoftext|>");
}

TEST(Bpe, TakesAnyBytesAndOneLongWord) {
  const ScratchFolder folder;
  const auto tokenizer = open_tokenizer(parity_bpe(folder), {});
  for (const std::string& text : {std::string("\xFF\x00\xC3(", 4), std::string(1 << 18, 'a')})
    EXPECT_EQ(tokenizer->decode(encoded(*tokenizer, text)), text);
}

TEST(Bpe, NoticesAnotherFile) {
  const ScratchFolder folder;
  const tokenizers::BpeOptions options{.vocab = folder.write("vocab.json", "{}"),
                                       .merges = folder.write("merges.txt", ""),
                                       .vocab_digest = sha256_hex("another")};
  const std::string message =
      message_of<DataError>([&] { (void)open_tokenizer(tokenizers::bpe(options), {}); });
  EXPECT_NE(message.find("is not the file that this config was made with"), std::string::npos);
}

TEST(LongText, HasTheSameTokensInPieces) {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 60'000; ++i)
    text += "the other\n" + std::string(static_cast<size_t>(i % 4), i % 3 == 0 ? '\n' : ' ') +
            "it's " + std::to_string(i);
  for (const Choice<Tokenizer>& choice :
       {tokenizers::words({.line_ends = true}), tokenizers::characters(), parity_bpe(folder)}) {
    const auto tokenizer = learned(choice, text);
    Tokens tokens;
    encode_long(*tokenizer, text, [&](int32_t token) { tokens.push_back(token); });
    EXPECT_EQ(tokens, encoded(*tokenizer, text)) << choice.name();
  }
  EXPECT_LT(piece_end(text, 0, 1000), 1100U);
}

}  // namespace
}  // namespace hearth
