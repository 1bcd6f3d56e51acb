// A convolution over images [C, H, W].
#include "hearth/nn/layers/convolution/conv2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/convolution_layer.h"

namespace hearth::layers {

Choice<Layer> conv2d(Conv2dOptions options) { return choose<Layer>("conv2d", options); }

void register_conv2d(Registry<Layer>& layers) {
  layers.add<ConvolutionLayer<2>>("conv2d", "A convolution over images [C, H, W].");
}

}  // namespace hearth::layers
