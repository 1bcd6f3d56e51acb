// Each digit is a token.
#include "tokenizers/open_digits.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"

namespace hearth::tokenizers {
namespace {

class OpenDigits : public Tokenizer {
 public:
  using Options = OpenDigitsOptions;
  explicit OpenDigits(Options options) {
    for (int64_t digit = 0; digit <= options.most; ++digit) names_.push_back(std::to_string(digit));
  }

  const std::vector<std::string>& names() const override { return names_; }

  // Called from many threads at once. What is no digit is passed over.
  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    for (const char letter : text) {
      if (letter < '0' || letter > '9') continue;
      const int32_t token = letter - '0';
      check_token(token, names_.size());
      tokens.push_back(token);
    }
  }

  std::string decode(std::span<const int32_t> tokens) const override {
    std::string text;
    for (const int32_t token : tokens) {
      check_token(token, names_.size());
      text += names_[static_cast<size_t>(token)];
    }
    return text;
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

const Schema<OpenDigitsOptions>& OpenDigitsOptions::schema() {
  using O = OpenDigitsOptions;
  static const auto schema =
      Schema<O>().field(&O::most, "most", "The greatest digit.", at_least(0), at_most(9));
  return schema;
}

Choice<Tokenizer> open_digits(OpenDigitsOptions options) {
  return choose<Tokenizer>("open_digits", options);
}

void register_open_digits(Registry<Tokenizer>& registry) {
  registry.add<OpenDigits>("open_digits", "The digits of a text.");
}

}  // namespace hearth::tokenizers
