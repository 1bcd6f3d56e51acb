// A sequence as the points of an image as large as another: [H*W, D] and [C, H, W] make [D, H, W].
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

// Inputs: the sequence, and the image whose sides it takes.
[[nodiscard]] Choice<Layer> sequence_to_image();

}  // namespace hearth::layers
