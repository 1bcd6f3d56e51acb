// A file with a JSON object in each line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"
#include "hearth/data/tokenizer.h"

namespace hearth::sources {

struct JsonLinesOptions {
  std::string file = {};  // must be given
  std::vector<std::string> text = {};
  std::vector<std::string> number = {};
  std::vector<std::string> classes = {};
  std::optional<Choice<Tokenizer>> vocabulary = {};
  std::string vocabulary_of = {};
  static const Schema<JsonLinesOptions>& schema();
};

[[nodiscard]] Choice<Source> json_lines(const JsonLinesOptions& options = {});

}  // namespace hearth::sources
