// The first half of the values, let through by a relu of the second.
#pragma once

#include "hearth/nn/axis_options.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> reglu(AxisOptions options = {});

}  // namespace hearth::layers
