// x / (1 + |x|), value by value.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> softsign();

}  // namespace hearth::layers
