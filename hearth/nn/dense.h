// What densenet and its blocks have in common.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth {

// Without a bias, the size kept apart from the stride, and with first values that keep the spread
// of what goes through (He et al., fan in).
[[nodiscard]] Choice<Layer> dense_convolution(int64_t out_channels, int64_t kernel_size,
                                              int64_t stride = 1);

}  // namespace hearth
