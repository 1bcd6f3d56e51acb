// What the residual blocks have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/nn/description.h"

namespace hearth {

struct ResidualConvolution {
  int64_t out_channels = 0;
  int64_t kernel_size = 3;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t groups = 1;
};
// A convolution as batch normalization wants it: no bias, the size kept apart from the stride, and
// first values that keep the spread of what flows back (He et al., fan out).
[[nodiscard]] Choice<Layer> residual_convolution(const ResidualConvolution& form);

// Convolutions, each with a batch norm and a relu; the last one's is of the sum with the input,
// which goes through a downsample when its shape differs. Children are named as in torchvision:
// conv1, bn1, relu, conv2, bn2, ..., downsample. `stride` and `out`, the last convolution's
// channels, are those of the whole block.
[[nodiscard]] Description residual(const std::vector<Choice<Layer>>& convolutions, int64_t out,
                                   int64_t stride, const Spec& input);

}  // namespace hearth
