// A text file as sequences of tokens: `tokens`, and `next`, which is one token ahead.
#include "hearth/data/sources/text.h"

#include <filesystem>
#include <utility>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/mapped_file.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/token_list.h"

namespace hearth::sources {

namespace {

class TextSource : public Source {
 public:
  using Options = TextOptions;
  explicit TextSource(Options options) : options_(std::move(options)) {}

  void open() override {
    // Mapped, not read: beside the tokens, a long text takes no memory.
    const MappedFile file(options_.file);
    const std::string_view content(reinterpret_cast<const char*>(file.bytes().data()),
                                   file.bytes().size());
    if (content.empty()) throw DataError(options_.file + ": is empty, but text was expected.");
    fingerprint_ = "sha256:" + sha256_hex(content);
    // Of the whole file, so that all parts have the same vocabulary.
    const auto tokenizer =
        open_tokenizer(options_.tokens, {.text = content, .what = options_.file});
    names_ = tokenizer->names();
    const auto [first, last] = part_of(content);
    tokens_ = TokenList(names_.size());
    encode_long(*tokenizer, content.substr(first, last - first),
                [&](int32_t token) { tokens_.add(token); });
    if (size() < 1) throw_too_short();
  }

  std::vector<KeySpec> keys() const override {
    Spec spec{.dtype = DType::kInt64,
              .shape = {options_.length},
              .classes = static_cast<int64_t>(names_.size())};
    spec.class_names = names_;
    spec.role = Role::kTokens;
    Spec next = spec;
    next.role = Role::kClass;
    return {{"tokens", spec}, {"next", next}};
  }

  // The last token of a part has nothing after it.
  int64_t size() const override {
    return (static_cast<int64_t>(tokens_.size()) - 1) / options_.length;
  }

  void read(int64_t index, std::span<const Cell> cells) const override {
    for (size_t key = 0; key < cells.size(); ++key) {
      if (!cells[key].is_wanted()) continue;
      tokens_.copy(index * options_.length + static_cast<int64_t>(key), cells[key].as<int64_t>());
    }
  }

  uint64_t resident_bytes() const override { return tokens_.resident_bytes(); }
  std::string fingerprint() const override {
    std::vector<std::string> parts = {"text", options_.part, shortest_number(options_.eval_share),
                                      std::to_string(options_.length), fingerprint_};
    // The bytes of a text follow from it.
    if (!is_of_bytes())
      parts.push_back(options_.tokens.name() + ":" + sha256_hex(join(names_, "\n")));
    return join(parts, ":");
  }
  std::string describe(int64_t index) const override {
    return std::filesystem::path(options_.file).filename().string() + "[" + std::to_string(index) +
           "]";
  }

 private:
  [[nodiscard]] bool is_of_bytes() const { return options_.tokens.name() == "bytes"; }

  // Only bytes may be parted within a character.
  [[nodiscard]] std::pair<size_t, size_t> part_of(std::string_view text) const {
    const auto held = static_cast<size_t>(static_cast<double>(text.size()) * options_.eval_share);
    size_t border = text.size() - held;
    const auto is_within = [&](size_t at) { return at < text.size() && (text[at] & 0xC0) == 0x80; };
    while (!is_of_bytes() && border > 0 && is_within(border)) --border;
    if (options_.part == "train") return {0, border};
    if (options_.part == "eval") return {border, text.size()};
    return {0, text.size()};
  }

  [[noreturn]] void throw_too_short() const {
    throw DataError(options_.file + ": part '" + options_.part + "' has " +
                    std::to_string(tokens_.size()) + (is_of_bytes() ? " characters" : " tokens") +
                    ", but one sample needs " + std::to_string(options_.length + 1) +
                    ". Use a smaller length, another eval_share, or a longer file.");
  }

  Options options_;
  std::vector<std::string> names_;
  TokenList tokens_;
  std::string fingerprint_;
};

}  // namespace

const Schema<TextOptions>& TextOptions::schema() {
  using O = TextOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file", "The text.", is_path(), required(), not_empty())
          .field(&O::length, "length", "Tokens of a sample.", at_least(1))
          .field(&O::part, "part", "Which part: the end of the file is for evaluation.",
                 one_of({"train", "eval", "all"}))
          .field(&O::eval_share, "eval_share", "Share of the file that is for evaluation.",
                 above(0), below(1))
          .field(&O::tokens, "tokens",
                 "What the text is cut into: bytes, characters, words, bpe or sentencepiece.");
  return schema;
}

Choice<Source> text(const TextOptions& options) { return choose<Source>("text", options); }

void register_text(Registry<Source>& registry) {
  registry.add<TextSource>("text", "A text file cut into tokens, and next, one token ahead.");
}

}  // namespace hearth::sources
