#include "hearth/data/tokenizers/sentencepiece.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/scratch_folder_test.h"

namespace hearth {
namespace {

using Tokens = std::vector<int32_t>;

const std::string kTests = std::string(HEARTH_SOURCE_DIR) + "/tests/";

std::string model_file(const std::string& name) {
  return kTests + "corpus/sentencepiece/" + name + ".model";
}

std::unique_ptr<Tokenizer> opened_model(const std::string& name) {
  return open_tokenizer(tokenizers::sentencepiece({.file = model_file(name)}), {});
}

Tokens pieces_of(const Tokenizer& tokenizer, const std::string& text) {
  Tokens tokens;
  tokenizer.encode(text, tokens);
  return tokens;
}

TEST(Sentencepiece, GivesTheLibrarysTokensAndTexts) {
  const auto stored = nlohmann::json::parse(read_file(kTests + "parity/sentencepiece.json"));
  for (const auto& [name, model] : stored.items()) {
    const auto tokenizer = opened_model(name);
    EXPECT_EQ(tokenizer->names().size(), model["pieces"].get<size_t>());
    for (const auto& example : model["texts"]) {
      const std::string text = example["text"];
      EXPECT_EQ(pieces_of(*tokenizer, text), example["tokens"].get<Tokens>()) << name << text;
    }
    for (const char* list : {"texts", "decoded"})
      for (const auto& example : model[list])
        EXPECT_EQ(tokenizer->decode(example["tokens"].get<Tokens>()), example["decoded"]) << name;
  }
}

TEST(Sentencepiece, TakesAnyBytesAndOneLongWord) {
  for (const char* name :
       {"unigram", "unigram_bytes", "bpe", "bpe_bytes", "word", "character", "suffix", "across"}) {
    const auto tokenizer = opened_model(name);
    (void)tokenizer->decode(pieces_of(*tokenizer, std::string("\xFF\x00\xC3(", 4)));
    (void)tokenizer->decode(pieces_of(*tokenizer, std::string(1 << 17, 'a')));
  }
  const auto tokenizer = opened_model("bpe_bytes");
  EXPECT_EQ(tokenizer->decode(pieces_of(*tokenizer,
                                        "a\xFF"
                                        "b")),
            "a\xEF\xBF\xBD"
            "b");
}

// Sums of scores begin anew in a long text, so that its end is cut as its begin was.
TEST(Sentencepiece, CutsTheEndOfALongTextAsItsBegin) {
  const auto tokenizer = opened_model("unigram");
  const std::string line = "The lazy dog sells unworded sea shells, and jumps. ";
  const Tokens once = pieces_of(*tokenizer, line);
  std::string text;
  for (int i = 0; i < 4000; ++i) text += line;
  Tokens many;
  encode_long(*tokenizer, text, [&](int32_t token) { many.push_back(token); });
  ASSERT_EQ(many.size(), 4000 * once.size());
  EXPECT_EQ(Tokens(many.end() - static_cast<std::ptrdiff_t>(once.size()), many.end()), once);
}

TEST(Sentencepiece, MarksBeginAndEndWhenAsked) {
  const auto tokenizer = open_tokenizer(
      tokenizers::sentencepiece({.file = model_file("bpe"), .begin = true, .end = true}), {});
  EXPECT_EQ(pieces_of(*tokenizer, ""), (Tokens{1, 2}));
  EXPECT_EQ(tokenizer->decode(pieces_of(*tokenizer, "the dog")), "the dog");
}

TEST(Sentencepiece, SaysWhatIsWrong) {
  const ScratchFolder folder;
  const std::string file = folder.write("x.model", "no model");
  const std::string fault = message_of<DataError>(
      [&] { (void)open_tokenizer(tokenizers::sentencepiece({.file = file}), {}); });
  EXPECT_EQ(fault.find(file + ": "), 0U) << fault;
  const auto tokenizer = opened_model("word");
  EXPECT_EQ(message_of<DataError>([&] { (void)tokenizer->decode(Tokens{-1}); }),
            "there is no token -1; the vocabulary has " +
                std::to_string(tokenizer->names().size()) + ".");
}

}  // namespace
}  // namespace hearth
