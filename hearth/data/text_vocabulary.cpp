// A vocabulary that comes from a text.
#include "hearth/data/text_vocabulary.h"

#include "hearth/data/tokenizer.h"

namespace hearth {

void TextVocabulary::use(const std::vector<std::string>& names) {
  check_unknown_token(names);
  names_ = names;
  texts_ = {std::string(kUnknownToken)};
  numbers_.clear();
  for (size_t i = 1; i < names.size(); ++i) {
    texts_.push_back(token_bytes(names[i]));
    numbers_[texts_[i]] = static_cast<int32_t>(i);
  }
}

void TextVocabulary::use_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> names = {std::string(kUnknownToken)};
  for (const std::string& text : texts) names.push_back(token_name(text));
  use(names);
}

int32_t TextVocabulary::find(std::string_view text) const {
  const auto found = numbers_.find(text);
  return found == numbers_.end() ? 0 : found->second;
}

const std::string& TextVocabulary::text_of(int32_t token) const {
  check_token(token, texts_.size());
  return texts_[static_cast<size_t>(token)];
}

}  // namespace hearth
