// Channels become points: [C r r, H, W] becomes [C, H r, W r].
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PixelShuffleOptions {
  int64_t upscale_factor = 2;
  static const Schema<PixelShuffleOptions>& schema();
};

[[nodiscard]] Choice<Layer> pixel_shuffle(PixelShuffleOptions options = {});

}  // namespace hearth::layers
