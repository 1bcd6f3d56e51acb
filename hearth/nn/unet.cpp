// What the stages of a U-Net have in common.
#include "hearth/nn/unet.h"

#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"

namespace hearth {

Choice<Layer> double_convolution(int64_t middle_channels, int64_t out_channels) {
  layers::SequentialOptions both;
  for (const int64_t channels : {middle_channels, out_channels}) {
    both.layers.push_back(
        layers::conv2d({.out_channels = channels, .kernel_size = 3, .padding = 1, .bias = false}));
    both.layers.push_back(layers::batch_norm2d());
    both.layers.push_back(layers::relu());
  }
  return layers::sequential({{named(layers::sequential(both), "double_conv")}});
}

}  // namespace hearth
