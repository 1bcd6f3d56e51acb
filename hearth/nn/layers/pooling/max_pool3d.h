// The largest value of each window of a volume [C, D, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using MaxPool3dOptions = MaxPoolOptions<3>;

[[nodiscard]] Choice<Layer> max_pool3d(MaxPool3dOptions options = {});

}  // namespace hearth::layers
