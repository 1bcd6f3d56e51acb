// max(x, 0), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> relu();

}  // namespace hearth::layers
