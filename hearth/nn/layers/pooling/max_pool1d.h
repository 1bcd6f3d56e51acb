// The largest value of each window of a line [C, L].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/pool_options.h"

namespace hearth::layers {

using MaxPool1dOptions = MaxPoolOptions<1>;

[[nodiscard]] Choice<Layer> max_pool1d(MaxPool1dOptions options = {});

}  // namespace hearth::layers
