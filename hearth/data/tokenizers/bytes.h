// The bytes of a text as tokens.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct BytesOptions {
  static const Schema<BytesOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> bytes(BytesOptions options = {});

}  // namespace hearth::tokenizers
