// The largest value of each of so many parts of a volume [C, D, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AdaptiveMaxPool3dOptions = AdaptivePoolOptions<3>;

[[nodiscard]] Choice<Layer> adaptive_max_pool3d(AdaptiveMaxPool3dOptions options = {});

}  // namespace hearth::layers
