// The block of MaxViT: a mobile convolution, then attention in windows and in grids.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MaxvitBlockOptions {
  int64_t out_channels = 0;  // must be given
  int64_t stride = 1;
  double expand_ratio = 4;
  double squeeze_ratio = 0.25;
  int64_t head_size = 32;
  int64_t window = 7;
  int64_t hidden_factor = 4;
  double dropout = 0;
  double drop_path = 0;
  static const Schema<MaxvitBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> maxvit_block(MaxvitBlockOptions options);

}  // namespace hearth::layers
