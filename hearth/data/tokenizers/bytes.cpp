// The bytes of a text as tokens: those that occur in a text it learns from, all 256 otherwise.
#include "hearth/data/tokenizers/bytes.h"

#include <array>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::tokenizers {

namespace {

class BytesTokenizer : public Tokenizer {
 public:
  using Options = BytesOptions;
  explicit BytesTokenizer(const Options&) { take_bytes(std::vector<bool>(256, true)); }

  // Numbered in the order of their values.
  void learn(std::string_view text, const std::string&) override {
    if (text.empty()) return;
    std::vector<bool> is_used(256);
    for (const char byte : text) is_used[static_cast<unsigned char>(byte)] = true;
    take_bytes(is_used);
  }

  void use(const std::vector<std::string>& names) override {
    std::vector<bool> is_used(256);
    for (const std::string& name : names) {
      const std::string bytes = token_bytes(name);
      if (bytes.size() != 1)
        throw DataError("the vocabulary holds " + quote(name) + ", which is no byte.");
      is_used[static_cast<unsigned char>(bytes[0])] = true;
    }
    take_bytes(is_used);
    if (names_ != names) throw DataError("the vocabulary's bytes are not in their order.");
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    for (const char byte : text) {
      const int16_t token = numbers_[static_cast<unsigned char>(byte)];
      if (token < 0)
        throw DataError("the byte " + quote(token_name({&byte, 1})) +
                        " is not among those of the training text.");
      tokens.push_back(token);
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
  void take_bytes(const std::vector<bool>& is_used) {
    numbers_.fill(-1);
    bytes_.clear();
    names_.clear();
    for (size_t byte = 0; byte < numbers_.size(); ++byte) {
      if (!is_used[byte]) continue;
      numbers_[byte] = static_cast<int16_t>(bytes_.size());
      bytes_ += static_cast<char>(byte);
      names_.push_back(token_name({&bytes_.back(), 1}));
    }
  }

  std::array<int16_t, 256> numbers_{};
  std::string bytes_;
  std::vector<std::string> names_;
};

}  // namespace

const Schema<BytesOptions>& BytesOptions::schema() {
  static const Schema<BytesOptions> schema;
  return schema;
}

Choice<Tokenizer> bytes(BytesOptions options) { return choose<Tokenizer>("bytes", options); }

void register_bytes(Registry<Tokenizer>& registry) {
  registry.add<BytesTokenizer>(
      "bytes", "Bytes: those of the text that the vocabulary comes from, or all 256 without one.");
}

}  // namespace hearth::tokenizers
