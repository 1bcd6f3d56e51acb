// Shares that sum to one along a dimension.
#pragma once

#include "hearth/nn/axis_options.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> softmax(AxisOptions options = {});

}  // namespace hearth::layers
