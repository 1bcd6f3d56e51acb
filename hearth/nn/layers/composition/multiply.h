// The product of several values: of one shape, or of a value and its gates.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> multiply();

}  // namespace hearth::layers
