// min(max(x, 0), 6), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> relu6();

}  // namespace hearth::layers
