// The mean of each window of an image [C, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AveragePool2dOptions = AveragePoolOptions<2>;

[[nodiscard]] Choice<Layer> average_pool2d(AveragePool2dOptions options = {});

}  // namespace hearth::layers
