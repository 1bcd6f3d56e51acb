// The words of a text as tokens, the most frequent first; 0 stands for every other word. Words are
// letters, marks and numbers in a row; every other character that is no blank is one of its own.
#include "hearth/data/tokenizers/words.h"

#include <algorithm>
#include <unordered_map>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/text_vocabulary.h"
#include "hearth/data/unicode.h"

namespace hearth::tokenizers {

namespace {

bool is_of_word(const Letter& letter) {
  return letter.is_valid && (is_unicode_letter(letter.code) || is_unicode_number(letter.code) ||
                             letter.code == '_' || is_unicode_mark(letter.code));
}

bool is_apostrophe(uint32_t code) { return code == '\'' || code == 0x2019; }

// Where the word that begins at `begin` ends; within it, an apostrophe belongs to it.
size_t word_end(std::string_view text, size_t begin) {
  const Letter first = letter_at(text, begin);
  size_t end = begin + first.bytes;
  if (!is_of_word(first)) return end;
  while (end < text.size()) {
    const Letter letter = letter_at(text, end);
    const size_t after = end + letter.bytes;
    const bool joins = is_apostrophe(letter.code) && after < text.size() &&
                       is_unicode_letter(letter_at(text, after).code);
    if (!joins && !is_of_word(letter)) break;
    end = after;
  }
  return end;
}

class WordsTokenizer : public Tokenizer {
 public:
  using Options = WordsOptions;
  explicit WordsTokenizer(Options options) : options_(std::move(options)) {}

  bool needs_vocabulary() const override { return vocabulary_.is_empty(); }

  void learn(std::string_view text, const std::string&) override {
    const std::string content =
        options_.file.empty() ? "" : read_token_file(options_.file, options_.digest);
    const std::string_view from = options_.file.empty() ? text : content;
    if (from.empty()) return;
    std::unordered_map<std::string, int64_t, TextHash, std::equal_to<>> counts;
    for_each_word(from, [&](std::string_view word) {
      const auto found = counts.find(word);
      if (found == counts.end())
        counts.emplace(word, 1);
      else
        ++found->second;
    });
    vocabulary_.use_texts(most_frequent({counts.begin(), counts.end()}));
  }

  void use(const std::vector<std::string>& names) override { vocabulary_.use(names); }
  const std::vector<std::string>& names() const override { return vocabulary_.names(); }

  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    for_each_word(text, [&](std::string_view word) { tokens.push_back(vocabulary_.find(word)); });
  }

  // With a blank between two words; what stood there is not in the tokens.
  std::string decode(std::span<const int32_t> tokens) const override {
    std::string text;
    for (const int32_t token : tokens) {
      const std::string& word = vocabulary_.text_of(token);
      if (!text.empty() && text.back() != '\n') text += ' ';
      text += word;
    }
    return text;
  }

 private:
  using Counted = std::pair<std::string, int64_t>;

  template <class Visit>
  void for_each_word(std::string_view text, const Visit& visit) const {
    thread_local std::string lower;
    for (size_t i = 0; i < text.size();) {
      const Letter letter = letter_at(text, i);
      const bool is_blank = letter.is_valid && is_unicode_space(letter.code) &&
                            !(options_.line_ends && letter.code == '\n');
      const size_t end = is_blank ? i + letter.bytes : word_end(text, i);
      const std::string_view word = text.substr(i, end - i);
      i = end;
      if (is_blank) continue;
      if (!options_.lowercase) {
        visit(word);
        continue;
      }
      lower.assign(word);
      for (char& byte : lower)
        if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte + 'a' - 'A');
      visit(std::string_view(lower));
    }
  }

  // Equally frequent words in the order of their bytes, so that a text has one vocabulary.
  [[nodiscard]] std::vector<std::string> most_frequent(std::vector<Counted> counts) const {
    std::erase_if(counts, [&](const Counted& word) { return word.second < options_.least_count; });
    std::sort(counts.begin(), counts.end(), [](const Counted& left, const Counted& right) {
      return left.second != right.second ? left.second > right.second : left.first < right.first;
    });
    if (counts.size() >= static_cast<size_t>(options_.most))
      counts.resize(static_cast<size_t>(options_.most) - 1);
    std::vector<std::string> words;
    for (Counted& word : counts) words.push_back(std::move(word.first));
    return words;
  }

  Options options_;
  TextVocabulary vocabulary_;
};

}  // namespace

const Schema<WordsOptions>& WordsOptions::schema() {
  using O = WordsOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "The text whose words are counted. Left out: that of the source.", is_path())
          .field(&O::digest, "digest",
                 "SHA-256 of the file. Left out, a run fills it in when it starts.",
                 digest_of("file"))
          .field(&O::most, "most", "Tokens at most, with the one for unknown words.", at_least(2),
                 at_most(10'000'000))
          .field(&O::least_count, "least_count", "How often a word must occur to have a token.",
                 at_least(1))
          .field(&O::lowercase, "lowercase", "Whether A to Z count as a to z.")
          .field(&O::line_ends, "line_ends", "Whether the end of a line is a token.");
  return schema;
}

Choice<Tokenizer> words(WordsOptions options) { return choose<Tokenizer>("words", options); }

void register_words(Registry<Tokenizer>& registry) {
  registry.add<WordsTokenizer>("words",
                               "Words and punctuation: the most frequent of a text, and one for "
                               "all others.");
}

}  // namespace hearth::tokenizers
