// A residual block of three convolutions, of which the middle one is narrow.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct BottleneckBlockOptions {
  int64_t channels = 0;  // must be given
  int64_t stride = 1;
  int64_t groups = 1;
  int64_t width_per_group = 64;
  int64_t dilation = 1;
  static const Schema<BottleneckBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> bottleneck_block(BottleneckBlockOptions options);

}  // namespace hearth::layers
