// The lines of a text file, with or without a class before each.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"
#include "hearth/data/tokenizer.h"

namespace hearth::sources {

struct TextLinesOptions {
  std::string file = {};  // must be given
  std::optional<Choice<Tokenizer>> vocabulary = {};
  std::string vocabulary_of = {};
  static const Schema<TextLinesOptions>& schema();
};

[[nodiscard]] Choice<Source> text_lines(TextLinesOptions options = {});

}  // namespace hearth::sources
