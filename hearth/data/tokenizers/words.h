// The words of a text as tokens.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct WordsOptions {
  std::string file = {};
  std::string digest = {};
  int64_t most = 30'000;
  int64_t least_count = 1;
  bool lowercase = true;
  bool line_ends = false;
  static const Schema<WordsOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> words(WordsOptions options = {});

}  // namespace hearth::tokenizers
