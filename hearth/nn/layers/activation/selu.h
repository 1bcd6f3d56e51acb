// An elu with constants that keep mean 0 and variance 1 from layer to layer.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> selu();

}  // namespace hearth::layers
