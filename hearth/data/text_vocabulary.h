// A vocabulary that comes from a text: texts with a number each, 0 for whatever else there is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hearth/data/text_hash.h"

namespace hearth {

class TextVocabulary {
 public:
  [[nodiscard]] bool is_empty() const { return names_.empty(); }
  // As `Tokenizer::names` has them. DataError unless the first is the unknown token.
  void use(const std::vector<std::string>& names);
  // The unknown token, then these.
  void use_texts(const std::vector<std::string>& texts);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // The texts themselves, as no name is written.
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  [[nodiscard]] int32_t find(std::string_view text) const;
  // DataError for a number without a token.
  [[nodiscard]] const std::string& text_of(int32_t token) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> numbers_;
};

}  // namespace hearth
