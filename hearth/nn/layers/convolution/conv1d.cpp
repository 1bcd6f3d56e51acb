// A convolution over lines [C, L].
#include "hearth/nn/layers/convolution/conv1d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/convolution_layer.h"

namespace hearth::layers {

Choice<Layer> conv1d(Conv1dOptions options) { return choose<Layer>("conv1d", options); }

void register_conv1d(Registry<Layer>& layers) {
  layers.add<ConvolutionLayer<1>>("conv1d", "A convolution over lines [C, L].");
}

}  // namespace hearth::layers
