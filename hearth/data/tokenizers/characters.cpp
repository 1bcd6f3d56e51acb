// The characters of a text as tokens, in the order of their code points; 0 stands for any other.
#include "hearth/data/tokenizers/characters.h"

#include <set>
#include <unordered_map>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
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

  bool needs_vocabulary() const override { return names_.empty(); }

  void learn(std::string_view text, const std::string&) override {
    const std::string content =
        options_.file.empty() ? "" : read_token_file(options_.file, options_.digest);
    const std::string_view from = options_.file.empty() ? text : content;
    if (from.empty()) return;
    std::unordered_map<uint32_t, std::string_view> found;
    std::set<uint32_t> codes;
    for (size_t i = 0; i < from.size();) {
      const Letter letter = letter_at(from, i);
      const uint32_t code = character_code(letter);
      if (found.emplace(code, from.substr(i, letter.bytes)).second) codes.insert(code);
      i += letter.bytes;
    }
    std::vector<std::string> names = {std::string(kUnknownToken)};
    for (const uint32_t code : codes) names.push_back(token_name(found.at(code)));
    use(names);
  }

  void use(const std::vector<std::string>& names) override {
    check_unknown_token(names);
    names_ = names;
    bytes_ = {std::string(kUnknownToken)};
    numbers_.clear();
    for (size_t i = 1; i < names.size(); ++i) {
      bytes_.push_back(token_bytes(names[i]));
      if (bytes_[i].empty() || letter_at(bytes_[i], 0).bytes != bytes_[i].size())
        throw DataError("the vocabulary holds " + quote(names[i]) + ", which is no character.");
      numbers_[character_code(letter_at(bytes_[i], 0))] = static_cast<int32_t>(i);
    }
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    for (size_t i = 0; i < text.size();) {
      const Letter letter = letter_at(text, i);
      const auto found = numbers_.find(character_code(letter));
      tokens.push_back(found == numbers_.end() ? 0 : found->second);
      i += letter.bytes;
    }
  }

  std::string decode(std::span<const int32_t> tokens) const override {
    std::string text;
    for (const int32_t token : tokens) {
      check_token(token, bytes_.size());
      text += bytes_[static_cast<size_t>(token)];
    }
    return text;
  }

 private:
  Options options_;
  std::vector<std::string> names_;
  std::vector<std::string> bytes_;
  std::unordered_map<uint32_t, int32_t> numbers_;
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
