// A text file as sequences of characters: `tokens`, and `next`, which is one character ahead.
#include "hearth/data/sources/text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sources {

namespace {

// How messages and predictions write a byte; only ASCII is text on its own.
std::string text_byte_name(unsigned char byte) {
  constexpr const char* kHex = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  if (byte >= ' ' && byte < 0x7F) return {static_cast<char>(byte)};
  return {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

class TextSource : public Source {
 public:
  using Options = TextOptions;
  explicit TextSource(Options options) : options_(std::move(options)) {}

  void open() override {
    const std::string content = read_file(options_.file);
    if (content.empty()) throw DataError(options_.file + ": is empty, but text was expected.");
    fingerprint_ = "sha256:" + sha256_hex(content);
    const std::array<uint8_t, 256> numbers = number_bytes(content);
    const auto [first, last] = part_of(content.size());
    tokens_.clear();
    for (size_t i = first; i < last; ++i)
      tokens_.push_back(numbers[static_cast<unsigned char>(content[i])]);
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
      const uint8_t* from = tokens_.data() + index * options_.length + static_cast<int64_t>(key);
      std::copy(from, from + options_.length, cells[key].as<int64_t>().begin());
    }
  }

  std::string fingerprint() const override {
    return join({"text", options_.part, shortest_number(options_.eval_share),
                 std::to_string(options_.length), fingerprint_},
                ":");
  }
  std::string describe(int64_t index) const override {
    return std::filesystem::path(options_.file).filename().string() + "[" + std::to_string(index) +
           "]";
  }

 private:
  // Numbers the bytes of the whole file in order, so that all parts have the same vocabulary.
  std::array<uint8_t, 256> number_bytes(const std::string& content) {
    std::array<bool, 256> is_used{};
    for (const char letter : content) is_used[static_cast<unsigned char>(letter)] = true;
    std::array<uint8_t, 256> numbers{};
    names_.clear();
    for (size_t byte = 0; byte < numbers.size(); ++byte) {
      if (!is_used[byte]) continue;
      numbers[byte] = static_cast<uint8_t>(names_.size());
      names_.push_back(text_byte_name(static_cast<unsigned char>(byte)));
    }
    return numbers;
  }

  [[nodiscard]] std::pair<size_t, size_t> part_of(size_t bytes) const {
    const auto held = static_cast<size_t>(static_cast<double>(bytes) * options_.eval_share);
    if (options_.part == "train") return {0, bytes - held};
    if (options_.part == "eval") return {bytes - held, bytes};
    return {0, bytes};
  }

  [[noreturn]] void throw_too_short() const {
    throw DataError(options_.file + ": part '" + options_.part + "' has " +
                    std::to_string(tokens_.size()) + " characters, but one sample needs " +
                    std::to_string(options_.length + 1) +
                    ". Use a smaller length, another eval_share, or a longer file.");
  }

  Options options_;
  std::vector<std::string> names_;
  std::vector<uint8_t> tokens_;
  std::string fingerprint_;
};

}  // namespace

const Schema<TextOptions>& TextOptions::schema() {
  using O = TextOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file", "The text; its different bytes are the vocabulary.", is_path(),
                 required(), not_empty())
          .field(&O::length, "length", "Characters of a sample.", at_least(1))
          .field(&O::part, "part", "Which part: the end of the file is for evaluation.",
                 one_of({"train", "eval", "all"}))
          .field(&O::eval_share, "eval_share", "Share of the file that is for evaluation.",
                 above(0), below(1));
  return schema;
}

Choice<Source> text(const TextOptions& options) { return choose<Source>("text", options); }

void register_text(Registry<Source>& registry) {
  registry.add<TextSource>("text",
                           "A text file by characters: tokens, and next, one character ahead.");
}

}  // namespace hearth::sources
