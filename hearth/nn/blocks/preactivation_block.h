// A residual block that normalizes before it convolves.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PreactivationBlockOptions {
  int64_t out_channels = 0;  // must be given
  int64_t stride = 1;
  static const Schema<PreactivationBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> preactivation_block(PreactivationBlockOptions options);

}  // namespace hearth::layers
