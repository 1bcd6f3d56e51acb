// One row of numbers for all whole numbers that come in together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct EmbeddingBagOptions {
  std::optional<int64_t> entries = std::nullopt;  // the input's number of classes when left out
  int64_t size = 0;                               // must be given
  std::string mode = "mean";
  std::optional<int64_t> padding_idx = std::nullopt;
  static const Schema<EmbeddingBagOptions>& schema();
};

[[nodiscard]] Choice<Layer> embedding_bag(EmbeddingBagOptions options);

}  // namespace hearth::layers
