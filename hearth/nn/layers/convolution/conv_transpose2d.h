// A transposed convolution over images [C, H, W]: the way back through a convolution.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/convolution_options.h"

namespace hearth::layers {

using ConvTranspose2dOptions = ConvolutionTransposeOptions<2>;

[[nodiscard]] Choice<Layer> conv_transpose2d(ConvTranspose2dOptions options);

}  // namespace hearth::layers
