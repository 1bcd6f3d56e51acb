// The largest value of each window of an image [C, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using MaxPool2dOptions = MaxPoolOptions<2>;

[[nodiscard]] Choice<Layer> max_pool2d(MaxPool2dOptions options = {});

}  // namespace hearth::layers
