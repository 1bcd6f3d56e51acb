// A block of two branches whose channels are shuffled afterwards.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ShuffleBlockOptions {
  int64_t out_channels = 0;  // must be given
  int64_t stride = 1;
  static const Schema<ShuffleBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> shuffle_block(ShuffleBlockOptions options);

}  // namespace hearth::layers
