// 1 / (1 + exp(-x)), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> sigmoid();

}  // namespace hearth::layers
