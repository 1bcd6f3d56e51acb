// What the residual blocks are made of.
#include "hearth/nn/residual.h"

#include "hearth/nn/layers/batch_norm2d.h"
#include "hearth/nn/layers/conv2d.h"
#include "hearth/nn/layers/sequential.h"

namespace hearth {

Choice<Layer> residual_convolution(int64_t out_channels, int64_t kernel_size, int64_t stride) {
  return conv2d({.out_channels = out_channels,
                 .kernel_size = kernel_size,
                 .stride = stride,
                 .padding = kernel_size / 2,
                 .bias = false,
                 .init = "kaiming_fan_out"});
}

Choice<Layer> residual_downsample(int64_t out_channels, int64_t stride) {
  return sequential({{residual_convolution(out_channels, 1, stride), batch_norm2d()}});
}

}  // namespace hearth
