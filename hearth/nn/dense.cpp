// What densenet and its blocks have in common.
#include "hearth/nn/dense.h"

#include "hearth/nn/initializers/kaiming_normal.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/convolution/conv2d.h"

namespace hearth {

Choice<Layer> dense_convolution(int64_t out_channels, int64_t kernel_size, int64_t stride) {
  return starting_with(layers::conv2d({.out_channels = out_channels,
                                       .kernel_size = kernel_size,
                                       .stride = stride,
                                       .padding = kernel_size / 2,
                                       .bias = false}),
                       {{"weight", initializers::kaiming_normal()}});
}

}  // namespace hearth
