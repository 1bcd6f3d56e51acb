// The mean of each of so many parts of a line [C, L].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AdaptiveAveragePool1dOptions = AdaptivePoolOptions<1>;

[[nodiscard]] Choice<Layer> adaptive_average_pool1d(AdaptiveAveragePool1dOptions options = {});

}  // namespace hearth::layers
