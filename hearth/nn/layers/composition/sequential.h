// Layers one after another.
#pragma once

#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SequentialOptions {
  std::vector<Choice<Layer>> layers = {};
  static const Schema<SequentialOptions>& schema();
};

[[nodiscard]] Choice<Layer> sequential(SequentialOptions options);

}  // namespace hearth::layers
