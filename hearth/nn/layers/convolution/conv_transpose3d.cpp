// A transposed convolution over volumes [C, D, H, W]: the way back through a convolution.
#include "hearth/nn/layers/convolution/conv_transpose3d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/convolution_transpose_layer.h"

namespace hearth::layers {

Choice<Layer> conv_transpose3d(ConvTranspose3dOptions options) {
  return choose<Layer>("conv_transpose3d", options);
}

void register_conv_transpose3d(Registry<Layer>& layers) {
  layers.add<ConvolutionTransposeLayer<3>>(
      "conv_transpose3d",
      "A transposed convolution over volumes [C, D, H, W]: larger ones come out, as on the way "
      "back through a convolution.");
}

}  // namespace hearth::layers
