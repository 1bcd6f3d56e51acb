// A transformer that scores what comes next at every place of a sequence.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GptOptions {
  int64_t layers = 4;
  int64_t width = 128;
  int64_t heads = 4;
  std::optional<int64_t> length = std::nullopt;      // the input's when left out
  std::optional<int64_t> vocabulary = std::nullopt;  // from the data when left out
  double dropout = 0;
  bool tied = false;
  static const Schema<GptOptions>& schema();
};

[[nodiscard]] Choice<Layer> gpt(GptOptions options = {});

}  // namespace hearth::layers
