// The mean of each window of a line [C, L].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using AveragePool1dOptions = AveragePoolOptions<1>;

[[nodiscard]] Choice<Layer> average_pool1d(AveragePool1dOptions options = {});

}  // namespace hearth::layers
