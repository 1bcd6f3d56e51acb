// What the residual blocks are made of.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth {

// A convolution as batch normalization wants it: no bias, the size kept apart from the stride, and
// first values that keep the spread of what flows back (He et al., fan out).
[[nodiscard]] Choice<Layer> residual_convolution(int64_t out_channels, int64_t kernel_size,
                                                 int64_t stride = 1);
// The way around a block whose output has another shape than its input.
[[nodiscard]] Choice<Layer> residual_downsample(int64_t out_channels, int64_t stride);

}  // namespace hearth
