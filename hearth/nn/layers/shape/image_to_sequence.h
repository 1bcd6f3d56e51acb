// The points of an image as a sequence, row by row: [C, H, W] becomes [H*W, C].
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> image_to_sequence();

}  // namespace hearth::layers
