// The mean of each window of a volume [C, D, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AveragePool3dOptions = AveragePoolOptions<3>;

[[nodiscard]] Choice<Layer> average_pool3d(AveragePool3dOptions options = {});

}  // namespace hearth::layers
