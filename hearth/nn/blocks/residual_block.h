// A residual block of two convolutions.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ResidualBlockOptions {
  int64_t out_channels = 0;  // must be given
  int64_t stride = 1;
  static const Schema<ResidualBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> residual_block(ResidualBlockOptions options);

}  // namespace hearth::layers
