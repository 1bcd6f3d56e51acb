// A text file as sequences of tokens, each with the sequence that comes one token later.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"
#include "hearth/data/tokenizers/bytes.h"

namespace hearth::sources {

struct TextOptions {
  std::string file = {};  // must be given
  int64_t length = 128;
  std::string part = "all";
  double eval_share = 0.1;
  Choice<Tokenizer> tokens = tokenizers::bytes();
  static const Schema<TextOptions>& schema();
};

[[nodiscard]] Choice<Source> text(const TextOptions& options = {});

}  // namespace hearth::sources
