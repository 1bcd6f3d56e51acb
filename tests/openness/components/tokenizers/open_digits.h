// The digits of a text.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct OpenDigitsOptions {
  int64_t most = 9;
  static const Schema<OpenDigitsOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> open_digits(OpenDigitsOptions options = {});

}  // namespace hearth::tokenizers
