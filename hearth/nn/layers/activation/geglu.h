// The first half of the values, let through by a gelu of the second.
#pragma once

#include "hearth/nn/axis_options.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> geglu(AxisOptions options = {});

}  // namespace hearth::layers
