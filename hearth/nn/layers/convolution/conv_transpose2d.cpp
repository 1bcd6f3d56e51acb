// A transposed convolution over images [C, H, W]: the way back through a convolution.
#include "hearth/nn/layers/convolution/conv_transpose2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/convolution_transpose_layer.h"

namespace hearth::layers {

Choice<Layer> conv_transpose2d(ConvTranspose2dOptions options) {
  return choose<Layer>("conv_transpose2d", options);
}

void register_conv_transpose2d(Registry<Layer>& layers) {
  layers.add<ConvolutionTransposeLayer<2>>(
      "conv_transpose2d",
      "A transposed convolution over images [C, H, W]: larger ones come out, as on the way back "
      "through a convolution.");
}

}  // namespace hearth::layers
