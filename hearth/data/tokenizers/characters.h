// The characters of a text as tokens.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct CharactersOptions {
  std::string file = {};
  std::string digest = {};
  static const Schema<CharactersOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> characters(CharactersOptions options = {});

}  // namespace hearth::tokenizers
