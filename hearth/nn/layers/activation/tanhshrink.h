// x - tanh(x), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> tanhshrink();

}  // namespace hearth::layers
