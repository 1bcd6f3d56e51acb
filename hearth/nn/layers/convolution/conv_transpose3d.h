// A transposed convolution over volumes [C, D, H, W]: the way back through a convolution.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/convolution_options.h"

namespace hearth::layers {

using ConvTranspose3dOptions = ConvolutionTransposeOptions<3>;

[[nodiscard]] Choice<Layer> conv_transpose3d(ConvTranspose3dOptions options);

}  // namespace hearth::layers
