// The hyperbolic tangent, value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> tanh();

}  // namespace hearth::layers
