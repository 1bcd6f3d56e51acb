// x relu6(x + 3) / 6, value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> hardswish();

}  // namespace hearth::layers
