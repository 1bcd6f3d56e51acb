// What googlenet and inception_v3 have in common.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/config/sides.h"

namespace hearth {

struct BasicConvolution {
  int64_t out_channels = 0;
  Sides<2> kernel_size = 1;
  Sides<2> stride = 1;
  Sides<2> padding = 0;
  double deviation = 0.1;  // of the first weights
};
// A convolution, a batch norm and a relu; children are named as in torchvision's BasicConv2d.
[[nodiscard]] Choice<Layer> basic_convolution(const BasicConvolution& form);

// A linear layer that starts with normal weights of this deviation.
[[nodiscard]] Choice<Layer> inception_linear(int64_t out_features, double deviation);

// Brings what is normalized as ImageNet usually is to [-1, 1], as the weights of both expect it.
[[nodiscard]] Choice<Layer> inception_input();

inline constexpr const char* kTransformHelp =
    "Take images normalized with ImageNet's means and deviations, and bring them to what "
    "torchvision's weights expect, values from -1 to 1.";

}  // namespace hearth
