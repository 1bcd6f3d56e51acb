// Four neighbours of an image become one point with four times the channels.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> stack_neighbours();

}  // namespace hearth::layers
