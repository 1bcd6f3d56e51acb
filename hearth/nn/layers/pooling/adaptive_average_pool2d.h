// The mean of each of so many parts of an image [C, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AdaptiveAveragePool2dOptions = AdaptivePoolOptions<2>;

[[nodiscard]] Choice<Layer> adaptive_average_pool2d(AdaptiveAveragePool2dOptions options = {});

}  // namespace hearth::layers
