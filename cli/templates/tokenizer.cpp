// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"

namespace hearth::tokenizers {
namespace {

class MyComponent : public Tokenizer {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) {
    for (int64_t digit = 0; digit <= options.most; ++digit) names_.push_back(std::to_string(digit));
  }

  const std::vector<std::string>& names() const override { return names_; }

  // Called from many threads at once. What has no token is a DataError.
  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    for (const char letter : text) {
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

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::most, "most", "The greatest digit.", at_least(0), at_most(9));
  return schema;
}

Choice<Tokenizer> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Tokenizer>("my_component", options);
}

void register_my_component(Registry<Tokenizer>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::tokenizers
