// One network for several inputs.
#pragma once

#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SiameseOptions {
  std::optional<Choice<Layer>> tower = std::nullopt;  // must be given
  static const Schema<SiameseOptions>& schema();
};

[[nodiscard]] Choice<Layer> siamese(SiameseOptions options);

}  // namespace hearth::layers
