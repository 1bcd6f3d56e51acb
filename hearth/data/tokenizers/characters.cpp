// The characters of a text as tokens, in the order of their code points; 0 stands for any other.
#include "hearth/data/tokenizers/characters.h"

#include <map>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/text_vocabulary.h"
#include "hearth/data/unicode.h"

namespace hearth::tokenizers {

namespace {

// Bytes that are not UTF-8 are characters of their own, behind all others.
uint32_t character_code(const Letter& letter) {
  constexpr uint32_t kFirstOfBytes = 0x110000;
  return letter.is_valid ? letter.code : kFirstOfBytes + letter.code;
}

class CharactersTokenizer : public Tokenizer {
 public:
  using Options = CharactersOptions;
  explicit CharactersTokenizer(Options options) : options_(std::move(options)) {}

  bool needs_vocabulary() const override { return vocabulary_.is_empty(); }

  void learn(std::string_view text, const std::string&) override {
    const std::string content =
        options_.file.empty() ? "" : read_token_file(options_.file, options_.digest);
    const std::string_view from = options_.file.empty() ? text : content;
    if (from.empty()) return;
    std::map<uint32_t, std::string_view> found;
    for_each_letter(from, [&](const Letter& letter, std::string_view bytes) {
      found.emplace(character_code(letter), bytes);
    });
    std::vector<std::string> texts;
    for (const auto& [code, bytes] : found) texts.emplace_back(bytes);
    vocabulary_.use_texts(texts);
  }

  void use(const std::vector<std::string>& names) override {
    TextVocabulary given;
    given.use(names);
    for (size_t i = 1; i < names.size(); ++i) {
      const std::string& bytes = given.texts()[i];
      if (bytes.empty() || letter_at(bytes, 0).bytes != bytes.size())
        throw DataError("the vocabulary holds " + quote(names[i]) + ", which is no character.");
    }
    vocabulary_ = std::move(given);
  }

  const std::vector<std::string>& names() const override { return vocabulary_.names(); }

  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    for_each_letter(text, [&](const Letter&, std::string_view bytes) {
      tokens.push_back(vocabulary_.find(bytes));
    });
  }

  std::string decode(std::span<const int32_t> tokens) const override {
    std::string text;
    for (const int32_t token : tokens) text += vocabulary_.text_of(token);
    return text;
  }

 private:
  template <class Visit>
  static void for_each_letter(std::string_view text, const Visit& visit) {
    for (size_t i = 0; i < text.size();) {
      const Letter letter = letter_at(text, i);
      visit(letter, text.substr(i, letter.bytes));
      i += letter.bytes;
    }
  }

  Options options_;
  TextVocabulary vocabulary_;
};

}  // namespace

const Schema<CharactersOptions>& CharactersOptions::schema() {
  using O = CharactersOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "The text whose characters are the vocabulary. Left out: that of the source.",
                 is_path())
          .field(&O::digest, "digest",
                 "SHA-256 of the file. Left out, a run fills it in when it starts.",
                 digest_of("file"));
  return schema;
}

Choice<Tokenizer> characters(CharactersOptions options) {
  return choose<Tokenizer>("characters", options);
}

void register_characters(Registry<Tokenizer>& registry) {
  registry.add<CharactersTokenizer>(
      "characters", "Characters of UTF-8: those of a text, and one for all others.");
}

}  // namespace hearth::tokenizers
