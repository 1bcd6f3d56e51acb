// A learned row of numbers for each whole number that comes in.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct EmbeddingOptions {
  std::optional<int64_t> entries = std::nullopt;  // the input's number of classes when left out
  int64_t size = 0;                               // must be given
  static const Schema<EmbeddingOptions>& schema();
};

[[nodiscard]] Choice<Layer> embedding(EmbeddingOptions options);

}  // namespace hearth::layers
