// What the stages of a U-Net have in common.
#pragma once

#include <cstdint>

#include "hearth/nn/description.h"

namespace hearth {

// Two 3x3 convolutions, each with a batch norm and a relu, below a child named double_conv.
[[nodiscard]] Choice<Layer> double_convolution(int64_t middle_channels, int64_t out_channels);

}  // namespace hearth
