// The largest value and the mean of every point's channels.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

[[nodiscard]] Choice<Layer> channel_pool();

}  // namespace hearth::layers
