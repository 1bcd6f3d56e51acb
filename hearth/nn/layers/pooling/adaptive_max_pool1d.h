// The largest value of each of so many parts of a line [C, L].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AdaptiveMaxPool1dOptions = AdaptivePoolOptions<1>;

[[nodiscard]] Choice<Layer> adaptive_max_pool1d(AdaptiveMaxPool1dOptions options = {});

}  // namespace hearth::layers
