// What comes in, as it is; nothing flows back.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> stop_gradient();

}  // namespace hearth::layers
