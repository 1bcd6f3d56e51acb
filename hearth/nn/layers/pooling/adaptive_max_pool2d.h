// The largest value of each of so many parts of an image [C, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AdaptiveMaxPool2dOptions = AdaptivePoolOptions<2>;

[[nodiscard]] Choice<Layer> adaptive_max_pool2d(AdaptiveMaxPool2dOptions options = {});

}  // namespace hearth::layers
