// Few channels made many: by 1x1 and 3x3 convolutions beside each other.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FireBlockOptions {
  int64_t squeeze_channels = 0;  // must be given
  int64_t expand_channels = 0;   // must be given
  static const Schema<FireBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> fire_block(FireBlockOptions options);

}  // namespace hearth::layers
