// What comes in, as it is.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> identity();

}  // namespace hearth::layers
