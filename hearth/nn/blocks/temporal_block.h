// Two causal convolutions along a line, with a window that has gaps, added to their input.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct TemporalBlockOptions {
  int64_t channels = 0;  // must be given
  int64_t kernel_size = 2;
  int64_t dilation = 1;
  double dropout = 0.2;
  static const Schema<TemporalBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> temporal_block(TemporalBlockOptions options);

}  // namespace hearth::layers
