// The pieces of a SentencePiece model as tokens.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct SentencepieceOptions {
  std::string file = {};  // must be given
  std::string digest = {};
  static const Schema<SentencepieceOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> sentencepiece(SentencepieceOptions options = {});
void register_sentencepiece(Registry<Tokenizer>& registry);

}  // namespace hearth::tokenizers
