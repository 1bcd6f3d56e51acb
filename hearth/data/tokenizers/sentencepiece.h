// The pieces of a SentencePiece model.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct SentencepieceOptions {
  std::string file = {};  // must be given
  std::string digest = {};
  bool begin = false;
  bool end = false;
  static const Schema<SentencepieceOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> sentencepiece(SentencepieceOptions options = {});

}  // namespace hearth::tokenizers
