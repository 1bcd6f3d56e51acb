// A convolution over volumes [C, D, H, W].
#include "hearth/nn/layers/convolution/conv3d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/convolution_layer.h"

namespace hearth::layers {

Choice<Layer> conv3d(Conv3dOptions options) { return choose<Layer>("conv3d", options); }

void register_conv3d(Registry<Layer>& layers) {
  layers.add<ConvolutionLayer<3>>("conv3d", "A convolution over volumes [C, D, H, W].");
}

}  // namespace hearth::layers
