// Points become channels: [C, H r, W r] becomes [C r r, H, W].
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PixelUnshuffleOptions {
  int64_t downscale_factor = 2;
  static const Schema<PixelUnshuffleOptions>& schema();
};

[[nodiscard]] Choice<Layer> pixel_unshuffle(PixelUnshuffleOptions options = {});

}  // namespace hearth::layers
