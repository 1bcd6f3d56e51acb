// A transposed convolution over lines [C, L]: the way back through a convolution.
#include "hearth/nn/layers/convolution/conv_transpose1d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/convolution_transpose_layer.h"

namespace hearth::layers {

Choice<Layer> conv_transpose1d(ConvTranspose1dOptions options) {
  return choose<Layer>("conv_transpose1d", options);
}

void register_conv_transpose1d(Registry<Layer>& layers) {
  layers.add<ConvolutionTransposeLayer<1>>(
      "conv_transpose1d",
      "A transposed convolution over lines [C, L]: larger ones come out, as on the way back "
      "through a convolution.");
}

}  // namespace hearth::layers
