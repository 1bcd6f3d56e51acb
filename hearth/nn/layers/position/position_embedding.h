// A learned row for each place of a sequence, added to what stands there.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PositionEmbeddingOptions {
  std::optional<int64_t> length = std::nullopt;  // that of the input when left out
  double std = 0.02;
  static const Schema<PositionEmbeddingOptions>& schema();
};

[[nodiscard]] Choice<Layer> position_embedding(PositionEmbeddingOptions options = {});

}  // namespace hearth::layers
