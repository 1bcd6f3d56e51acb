// Byte pairs merged as GPT-2 does.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct BpeOptions {
  std::string vocab = {};   // must be given
  std::string merges = {};  // must be given
  std::string vocab_digest = {};
  std::string merges_digest = {};
  static const Schema<BpeOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> bpe(BpeOptions options = {});

}  // namespace hearth::tokenizers
